#include "instrument/type_names.h"

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

class TypeNameReader {
 public:
  TypeNameReader(Source& source, bool withGroups) : source_(source) {
    if (!withGroups) return;
    names_.types.insert({"thread_block", "thread_block_tile"});
    templates_.insert({"thread_block_tile", "tiled_partition"});
  }

  Accepted<TypeNames> run() {
    for (int i = 0; i < source_.size(); ++i) {
      if (source_.is(i, "struct") || source_.is(i, "class") || source_.is(i, "union")) {
        readClass(i);
      } else if (source_.is(i, "enum")) {
        readEnum(i);
      } else if (source_.is(i, "typename")) {
        if (source_.is(i + 2, "::"))
          return refuse(source_[i],
                        "A type that depends on a template is not supported yet. Name the type itself.");
        addType(i + 1);
      } else if (source_.is(i, "using")) {
        if (auto read = readAlias(i); !read) return tl::unexpected(read.error());
      } else if (source_.is(i, "template")) {
        if (auto read = readTemplate(i); !read) return tl::unexpected(read.error());
      }
    }
    matchTemplateLists();
    return std::move(names_);
  }

 private:
  void addType(int i) {
    if (source_.isIdentifier(i) && !isKeyword(source_[i].text)) names_.types.insert(source_[i].text);
  }

  // The token after a class's or enum's keyword and its alignment: its name, if it has one.
  int nameAfter(int keyword) const {
    int i = keyword + 1;
    while (source_.is(i, "class") || source_.is(i, "struct") ||
           (source_.isIdentifier(i) && takesArgument(source_[i].text))) {
      const bool withArgument = takesArgument(source_[i].text) && source_.is(i + 1, "(");
      i = withArgument ? source_.partnerOf(i + 1) + 1 : i + 1;
    }
    return i;
  }

  void readClass(int keyword) { addType(nameAfter(keyword)); }

  void readEnum(int keyword) {
    const int name = nameAfter(keyword);
    addType(name);
    int open = name;
    while (source_.has(open) && !source_.is(open, "{") && !source_.is(open, ";")) ++open;
    if (!source_.is(open, "{")) return;
    for (int i = open + 1; i < source_.partnerOf(open); ++i)
      if (source_.isIdentifier(i) && (source_.is(i - 1, "{") || source_.is(i - 1, ",")))
        names_.constants.insert(source_[i].text);
  }

  Accepted<void> readAlias(int keyword) {
    if (!source_.isIdentifier(keyword + 1) || !source_.is(keyword + 2, "="))
      return refuse(source_[keyword],
                    "Of using only using Name = type; is read. Write the full name instead.");
    for (int i = keyword + 3; source_.has(i) && !source_.is(i, ";"); ++i)
      for (std::string_view hidden : {"*", "&", "&&", "[", "("})
        if (source_.is(i, hidden))
          return refuse(source_[keyword],
                        "A type's name may not hide a pointer, an array or a reference. Write the type out.");
    addType(keyword + 1);
    return {};
  }

  // template <...> struct Name, template <...> type function(...)
  Accepted<void> readTemplate(int keyword) {
    const int open = keyword + 1;
    const int close = source_.is(open, "<") ? findTemplateClose(source_, open) : -1;
    if (close < 0 || close == open + 1)
      return refuse(source_[keyword],
                    "This template's parameters cannot be read. Write template <class X, int N>.");
    match(open, close);
    for (int i = open + 1; i < close; ++i) {
      if (source_.is(i, "template"))
        return refuse(source_[i],
                      "Template template parameters are not supported yet. Use a class or a number.");
    }
    int i = close + 1;
    while (source_.has(i) && !source_.is(i, ";") && !source_.is(i, "{") && !source_.is(i, "=")) {
      if (source_.is(i, "struct") || source_.is(i, "class") || source_.is(i, "union")) {
        const int name = nameAfter(i);
        if (source_.isIdentifier(name)) templates_.insert(source_[name].text);
        return {};
      }
      if (source_.is(i, "using") && source_.isIdentifier(i + 1)) {
        templates_.insert(source_[i + 1].text);
        return {};
      }
      if (source_.is(i, "(")) {
        if (source_.isIdentifier(i - 1) && !isKeyword(source_[i - 1].text)) {
          templates_.insert(source_[i - 1].text);
          return {};
        }
        i = source_.partnerOf(i);
      }
      ++i;
    }
    return {};
  }

  void matchTemplateLists() {
    for (int i = 1; i < source_.size(); ++i) {
      if (!source_.is(i, "<") || source_.partnerOf(i) >= 0 || !source_.isIdentifier(i - 1)) continue;
      const std::string_view before = source_[i - 1].text;
      if (!isNamedCast(before) && !templates_.contains(before)) continue;
      if (const int close = findTemplateClose(source_, i); close >= 0) match(i, close);
    }
  }

  void match(int open, int close) {
    source_.partner[static_cast<std::size_t>(open)] = close;
    source_.partner[static_cast<std::size_t>(close)] = open;
  }

  Source& source_;
  TypeNames names_;
  std::unordered_set<std::string_view> templates_;
};

}  // namespace

bool TypeNames::isType(std::string_view word) const { return isBuiltInType(word) || types.contains(word); }

Accepted<TypeNames> readTypeNames(Source& source, bool withGroups) {
  return TypeNameReader(source, withGroups).run();
}

}  // namespace stridescope::instrument
