#include "instrument/shared_declarations.h"

#include "recording/event.h"

namespace stridescope::instrument {
namespace {

class SharedArrayReader {
 public:
  SharedArrayReader(const Source& source, const Declarations& declarations, const Statements& statements)
      : source_(source), declarations_(declarations), statements_(statements) {
    result_.replacedTokens.assign(source.tokens.size(), false);
  }

  Accepted<SharedArrays> run() {
    for (int i = 0; i < source_.size(); ++i) {
      if (!source_.is(i, "__shared__")) continue;
      if (auto read = readDeclaration(i); !read) return tl::unexpected(read.error());
    }
    return std::move(result_);
  }

 private:
  static constexpr std::string_view kForm = "Write __shared__ T name[count]; or extern __shared__ T name[];";

  Accepted<void> readDeclaration(int keyword) {
    bool dynamic = false;
    std::string qualifiers;  // volatile may stand on either side
    int first = keyword;
    for (; source_.is(first - 1, "extern") || source_.is(first - 1, "volatile"); --first) {
      if (source_.is(first - 1, "extern"))
        dynamic = true;
      else
        qualifiers = "volatile ";
    }
    int semicolon = keyword;
    while (source_.has(semicolon) && !source_.is(semicolon, ";"))
      semicolon = source_.opens(semicolon) ? source_.partnerOf(semicolon) + 1 : semicolon + 1;
    if (!source_.has(semicolon))
      return refuse(source_[keyword], "This declaration has no end. " + std::string(kForm));
    if (auto checked = checkPlace(first, semicolon); !checked) return checked;

    int name = keyword + 1;
    while (name < semicolon && declarations_.roleOf(name) == Role::Type) {
      if (source_.is(name, "alignas") || source_.is(name, "__align__"))
        return refuse(source_[name],
                      "Alignment of shared memory is not supported yet; recorded arrays are aligned to 16 "
                      "bytes. Leave it out.");
      name =
          source_.is(name + 1, "<") && source_.opens(name + 1) ? source_.partnerOf(name + 1) + 1 : name + 1;
    }
    if (declarations_.roleOf(name) == Role::Pointer)
      return refuse(source_[name], "Pointers in shared memory are not supported yet. Keep offsets in it.");
    if (declarations_.roleOf(name) != Role::Name || name == keyword + 1)
      return refuse(source_[keyword], "This declaration cannot be read. " + std::string(kForm));
    const std::string type = qualifiers + std::string(source_.slice(keyword + 1, name - 1));
    if (type.find(',') != std::string::npos)
      return refuse(source_[keyword + 1], "This type has a comma. Give it a name: using Name = type;");

    std::string text;
    while (true) {
      auto after = readArray(name, semicolon, type, dynamic, text);
      if (!after) return tl::unexpected(after.error());
      if (*after == semicolon) break;
      if (!source_.is(*after, ","))
        return refuse(source_[*after], "This declaration cannot be read. " + std::string(kForm));
      name = *after + 1;
    }
    result_.replacements.push_back({first, semicolon, text, -1});
    for (int i = first; i <= semicolon; ++i) result_.replacedTokens[static_cast<std::size_t>(i)] = true;
    return {};
  }

  Accepted<void> checkPlace(int first, int semicolon) const {
    const bool begins =
        source_.is(first - 1, ";") || source_.is(first - 1, "{") || source_.is(first - 1, "}");
    if (!begins || !statements_.inFunction[static_cast<std::size_t>(first)])
      return refuse(source_[first],
                    "Shared memory is declared in a function, __shared__ first. " + std::string(kForm));
    const std::string_view text = source_.slice(first, semicolon);
    for (std::string_view stop : {"\n", "//", "/*"})
      if (text.find(stop) != std::string_view::npos)
        return refuse(source_[first],
                      "A declaration of shared memory stands on one line without comments in it. " +
                          std::string(kForm));
    return {};
  }

  // Reads name[...]... and appends its call; returns the token after it.
  Accepted<int> readArray(int name, int semicolon, const std::string& type, bool dynamic, std::string& text) {
    if (!source_.isIdentifier(name) || declarations_.roleOf(name) != Role::Name)
      return refuse(source_[name], "This declaration cannot be read. " + std::string(kForm));
    int after = name + 1;
    while (source_.is(after, "[")) after = source_.partnerOf(after) + 1;
    const std::string variable(source_[name].text);
    if (after < semicolon && !source_.is(after, ","))
      return refuse(source_[after], "Shared memory has no initializer. Store to it in the kernel.");
    const bool single = after == name + 1;
    if (single && !dynamic)
      if (auto checked = addVariable(name); !checked) return tl::unexpected(checked.error());
    const bool empty = !single && source_.partnerOf(name + 1) == name + 2;
    const bool oneDimension = !single && source_.partnerOf(name + 1) + 1 == after;
    if (dynamic && (!empty || !oneDimension))
      return refuse(source_[name],
                    "Dynamic shared memory has one pair of empty brackets. " + std::string(kForm));
    if (!dynamic && empty)
      return refuse(source_[name], "This shared array has no size. Write its size, or extern before it.");
    if (dynamic && hasDynamic_)
      return refuse(source_[name],
                    "Two dynamic shared arrays are the same memory. Declare one and use offsets.");
    hasDynamic_ = hasDynamic_ || dynamic;
    if (result_.declarations.size() == recording::kMaxSharedArrays)
      return refuse(source_[name], "Only " + std::to_string(recording::kMaxSharedArrays) +
                                       " shared arrays can be recorded. Put some of them into one.");

    const std::string extent = dynamic || single ? "" : std::string(source_.slice(name + 1, after - 1));
    const std::string number = std::to_string(result_.declarations.size());
    if (dynamic)
      text += "RECORDING_SHARED_DYNAMIC(" + number + ", " + variable + ", " + type + ");";
    else
      text += "RECORDING_SHARED_STATIC(" + number + ", " + variable + ", " + type + ", " +
              (single ? "[1]" : extent) + ");";
    result_.declarations.push_back({.name = variable,
                                    .elementType = type,
                                    .extent = extent,
                                    .line = source_[name].line,
                                    .dynamic = dynamic});
    return after;
  }

  // Its accesses are found by its name alone.
  Accepted<void> addVariable(int name) {
    for (const DeclaredName& other : declarations_.declared)
      if (other.token != name && source_[other.token].text == source_[name].text)
        return refuse(source_[name], "The name " + std::string(source_[name].text) +
                                         " also stands for something else. Choose another for this shared "
                                         "variable.");
    result_.variables.insert(source_[name].text);
    return {};
  }

  const Source& source_;
  const Declarations& declarations_;
  const Statements& statements_;
  SharedArrays result_;
  bool hasDynamic_ = false;
};

}  // namespace

Accepted<SharedArrays> readSharedArrays(const Source& source, const Declarations& declarations,
                                        const Statements& statements) {
  return SharedArrayReader(source, declarations, statements).run();
}

}  // namespace stridescope::instrument
