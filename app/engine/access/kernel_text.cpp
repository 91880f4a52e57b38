#include "kernel_text.h"

#include <algorithm>
#include <optional>

#include "declarations.h"
#include "host_parts.h"
#include "unannounced_copies.h"

namespace stridescope::engine::access {
namespace {

class TextReader {
 public:
  TextReader(const KernelTokens& tokens, const KernelTextOptions& options, KernelText& result)
      : tokens_(tokens), declarations_(declarationsOf(tokens)), result_(result) {
    host_ = leaveOutHostParts(tokens_, declarations_, result_.edits);
    result_.leftOut = host_.names;
    result_.deviceText = result_.edits.applyTo(tokens_.text());
    result_.deviceEdits = result_.edits;
    for (const Declaration& declared : declarations_)
      if (declared.isKernel && !declared.isSpecialization && declared.owner < 0) addKernel(declared);
    for (const Include& include : tokens_.includes())
      if (include.isQuoted && !host_.hold(include.begin))
        result_.includes.push_back(
            {include.name, int(1 + std::ranges::count(tokens_.text().substr(0, include.begin), '\n'))});
    findLaunchInDevice();
    dynamicShared();
    result_.dynamicIsCast = isCast(result_.dynamicName);
    keepApart();
    if (options.tellsBranches) {
      TextEdits telling = result_.deviceEdits;
      result_.branches = tellBranches(tokens_, host_, options.firstBranch, telling);
      result_.deviceTelling = telling.applyTo(tokens_.text());
      tellBranches(tokens_, host_, options.firstBranch, result_.edits);
      tellUnannouncedCopies(tokens_, declarations_, host_, result_.edits);
    }
    result_.text = result_.edits.applyTo(tokens_.text());
  }

 private:
  void findLaunchInDevice() {
    for (const Declaration& declared : declarations_) {
      if (!declared.isDevices || declared.kind != DeclarationKind::Function) continue;
      for (std::size_t i = declared.body; i + 2 < declared.end && result_.launchInDevice.first == 0; ++i) {
        const bool isLaunch = tokens_.is(i, "<") && tokens_.is(i + 1, "<") && tokens_.is(i + 2, "<") &&
                              tokens_[i + 2].begin == tokens_[i].begin + 2;
        if (!isLaunch) continue;
        const std::size_t lineBegin = tokens_.text().rfind('\n', tokens_[i].begin) + 1;  // npos + 1 is 0
        result_.launchInDevice = {tokens_[i].line, int(tokens_[i].begin - lineBegin + 1)};
      }
    }
  }

  void addKernel(const Declaration& declared) {
    KernelDeclaration kernel{.name = declared.name,
                             .qualified = declared.scope + declared.name,
                             .isTemplate = declared.isTemplate,
                             .templateHead = declared.isTemplate ? templateHead(declared.begin) : "",
                             .line = tokens_[declared.list].line,
                             .parameters = {}};
    parameters(declared.list + 1, tokens_.partner(declared.list), kernel.parameters);
    result_.kernels.push_back(std::move(kernel));
  }

  std::string templateHead(std::size_t begin) const {
    std::size_t end = begin + 1;
    int depth = 0;
    do {
      if (tokens_.is(end, "<")) ++depth;
      if (tokens_.is(end, ">")) --depth;
      ++end;
    } while (depth > 0 && end < tokens_.size());
    std::string head = textOf(begin, end);
    std::ranges::replace(head, '\n', ' ');
    return head;
  }

  // The text of some tokens.
  std::string textOf(std::size_t begin, std::size_t end) const {
    return begin >= end ? std::string()
                        : std::string(tokens_.text().substr(tokens_[begin].begin,
                                                            tokens_[end - 1].end - tokens_[begin].begin));
  }

  void parameters(std::size_t first, std::size_t last, std::vector<KernelParameter>& all) const {
    if (first >= last || (last == first + 1 && tokens_.is(first, "void"))) return;
    std::size_t begin = first;
    int angles = 0;
    for (std::size_t i = first; i <= last; ++i) {
      if (i < last && (tokens_.is(i, "(") || tokens_.is(i, "[") || tokens_.is(i, "{"))) {
        i = tokens_.partner(i);
        continue;
      }
      if (tokens_.is(i, "<")) ++angles;
      if (tokens_.is(i, ">")) --angles;
      if (i != last && (!tokens_.is(i, ",") || angles > 0)) continue;
      all.push_back(parameter(begin, i, all.size() + 1));
      begin = i + 1;
    }
  }

  KernelParameter parameter(std::size_t begin, std::size_t end, std::size_t place) const {
    std::size_t equals = begin;
    while (equals < end && !tokens_.is(equals, "=")) ++equals;
    std::size_t bracket = begin;
    while (bracket < equals && !tokens_.is(bracket, "[")) ++bracket;
    for (std::size_t i = begin; i + 3 < equals; ++i)  // const float (*rows)[32]
      if (tokens_.is(i, "(") && tokens_.is(i + 1, "*") && tokens_[i + 2].isWord && tokens_.is(i + 3, ")"))
        return {.name = std::string(tokens_.word(i + 2)),
                .type = textOf(begin, i + 2) + textOf(i + 3, equals),
                .otherwise = textOf(equals + 1, end),
                .line = tokens_[begin].line};
    const bool isNamed = bracket > begin + 1 && tokens_[bracket - 1].isWord && !isTypeWord(bracket - 1);
    KernelParameter parameter{.name = "arg" + std::to_string(place),
                              .type = textOf(begin, isNamed ? bracket - 1 : bracket),
                              .otherwise = textOf(equals + 1, end),
                              .line = tokens_[begin].line};
    if (bracket < equals) parameter.type += "*";  // an array is a pointer here
    if (isNamed) parameter.name = tokens_.word(bracket - 1);
    return parameter;
  }

  // "unsigned int", "const float", "T * __restrict__": without a name.
  bool isTypeWord(std::size_t i) const {
    constexpr std::string_view kWords[] = {"int",      "long",     "short",        "char",      "float",
                                           "double",   "unsigned", "signed",       "bool",      "const",
                                           "volatile", "restrict", "__restrict__", "__restrict"};
    for (const std::string_view each : kWords)
      if (tokens_.is(i, each)) return true;
    return i >= 2 && tokens_.is(i - 1, ":") && tokens_.is(i - 2, ":");  // std::size_t
  }

  // extern __shared__ T name[]; becomes T* of where the block's dynamic shared memory is. At namespace scope
  // it is a value that converts to that.
  void dynamicShared() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!tokens_.is(i, "__shared__") || host_.hold(tokens_[i].begin)) continue;
      std::size_t begin = i;
      while (begin > 0 && (tokens_.is(begin - 1, "extern") || tokens_.is(begin - 1, "static") ||
                           tokens_.is(begin - 1, "volatile")))
        --begin;
      const bool isExtern = tokens_.has(begin, i, "extern");
      if (!isExtern) {
        for (std::size_t k = begin; k < i + 2; ++k)
          if (tokens_.is(k, "static"))
            result_.edits.replace(tokens_[k].begin, tokens_[k].end, "      ");  // __shared__ is static itself
        continue;
      }
      std::size_t end = i + 1;
      while (end < tokens_.size() && !tokens_.is(end, ";"))
        end = tokens_.is(end, "(") ? tokens_.partner(end) + 1 : end + 1;
      const std::size_t bracket = end >= 2 && tokens_.is(end - 1, "]") ? tokens_.partner(end - 1) : end;
      if (bracket == end || bracket <= i + 1) continue;
      std::string type;
      for (std::size_t k = begin; k + 1 < bracket; ++k) {
        if (tokens_.is(k, "extern") || tokens_.is(k, "static") || tokens_.is(k, "__shared__")) continue;
        if ((tokens_.is(k, "__align__") || tokens_.is(k, "alignas") || tokens_.is(k, "__attribute__")) &&
            tokens_.is(k + 1, "(")) {
          k = tokens_.partner(k + 1);
          continue;
        }
        type += std::string(type.empty() ? "" : " ") + std::string(tokens_.word(k));
      }
      const std::string name(tokens_.word(bracket - 1));
      if (result_.dynamicName.empty()) result_.dynamicName = name, result_.dynamicType = type;
      const bool isInFunction = depthOf(begin) > 0;
      const std::string pointer =
          type + "* const " + name + " = static_cast<" + type + "*>(accesses::dynamicShared())";
      result_.edits.replace(
          tokens_[begin].begin, tokens_[end - 1].end,
          isInFunction ? pointer : "static const accesses::DynamicShared<" + type + "> " + name);
      if (!isInFunction) pointTo(name, pointer);
      i = end;
    }
  }

  // Whether a name of dynamic shared memory stands in casts alone: (float*)raw, reinterpret_cast<T*>(raw +
  // n).
  bool isCast(const std::string& name) const {
    bool isUsed = false;
    for (std::size_t i = 1; i + 1 < tokens_.size(); ++i) {
      const bool isDeclaration = tokens_.is(i + 1, "[") && tokens_.is(i + 2, "]");
      if (!tokens_.is(i, name) || isDeclaration || host_.hold(tokens_[i].begin)) continue;
      const bool isOfWord = tokens_.is(i - 1, "(") && i > 1 && tokens_.is(i - 2, ">");
      if (tokens_.is(i + 1, "[") || !(tokens_.is(i - 1, ")") || isOfWord)) return false;
      isUsed = true;
    }
    return isUsed;
  }

  // Functions that use a name of namespace scope have a pointer of that name: a cast takes no value that
  // converts to one.
  void pointTo(const std::string& name, const std::string& pointer) {
    for (const Declaration& function : declarations_) {
      if (function.kind != DeclarationKind::Function || !tokens_.is(function.body, "{")) continue;
      if (host_.hold(tokens_[function.begin].begin)) continue;
      bool isUsed = false, isOther = tokens_.has(function.list, tokens_.partner(function.list), name);
      for (std::size_t i = function.body + 1; i < function.end; ++i) {
        if (!tokens_.is(i, name)) continue;
        isUsed = true;
        isOther = isOther || isDeclarator(i);
      }
      if (isUsed && !isOther) result_.edits.insert(tokens_[function.body].end, " " + pointer + ";");
    }
  }

  // Whether the name at the token is declared there, as in "float name", "int *name =", "T &name;".
  bool isDeclarator(std::size_t i) const {
    std::size_t type = i - 1;
    while (tokens_.is(type, "*") || tokens_.is(type, "&")) --type;
    const bool isType = (tokens_[type].isWord || tokens_.is(type, ">")) && !tokens_.is(type, "return") &&
                        !tokens_.is(type, "else") && !tokens_.is(type, "do") && !tokens_.is(type, "case");
    if (!isType) return false;
    return type == i - 1 || tokens_.is(i + 1, "=") || tokens_.is(i + 1, ";") || tokens_.is(i + 1, ":");
  }

  // Around __device__ and __constant__ variables is room, so that an index that misses one hits no other:
  // room where the compiler has those with an initial value, and where it has the others.
  void keepApart() {
    int gaps = 0;
    const auto gap = [&](std::size_t at) {
      const std::string begin =
          " __attribute__((used)) static char " + std::string(kGapName) + std::to_string(gaps++);
      result_.edits.insert(at, begin + "a[1024];" + begin + "b[1024] = {1};");
    };
    for (const Declaration& declared : declarations_) {
      const bool isVariable = declared.kind == DeclarationKind::Other && declared.owner < 0 &&
                              declared.isDevices && !declared.isTemplate && isVariableDeclaration(declared);
      if (!isVariable || host_.hold(tokens_[declared.begin].begin)) continue;
      gap(tokens_[declared.begin].begin);
      gap(tokens_[declared.end].end);
    }
  }
  bool isVariableDeclaration(const Declaration& declared) const {
    for (std::size_t i = declared.begin; i < declared.end; ++i) {
      if (tokens_.is(i, "=") || tokens_.is(i, "[") || tokens_.is(i, "{")) return true;
      const bool isOther = tokens_.is(i, "extern") || tokens_.is(i, "__shared__") || tokens_.is(i, "using") ||
                           tokens_.is(i, "typedef");
      if (isOther) return false;
      if (!tokens_.is(i, "(")) continue;
      if (!tokens_.is(i - 1, "__align__") && !tokens_.is(i - 1, "alignas") &&
          !tokens_.is(i - 1, "__attribute__"))
        return false;  // a function
      i = tokens_.partner(i);
    }
    return true;
  }

  // How many bodies of functions and classes are around it: 0 at namespace scope.
  int depthOf(std::size_t token) const {
    int depth = 0;
    for (const Declaration& declared : declarations_)
      if (declared.kind != DeclarationKind::Other && declared.body < token && token < declared.end) ++depth;
    return depth;
  }

  const KernelTokens& tokens_;
  std::vector<Declaration> declarations_;
  KernelText& result_;
  HostParts host_;
};

}  // namespace

std::string KernelDeclaration::signature() const {
  std::string types;
  for (const KernelParameter& parameter : parameters) types += (types.empty() ? "" : ", ") + parameter.type;
  return name + "(" + types + ")";
}

Result<KernelText> readKernelText(const std::string& fileName, std::string_view text,
                                  const KernelTextOptions& options) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  KernelTokens tokens;
  if (const auto fault = tokens.read(text))
    return usageError(fileName + ", line " + std::to_string(fault->first) + ": " + fault->second +
                      ". Fix its text.");
  KernelText result;
  TextReader(tokens, options, result);
  return result;
}

Result<std::vector<KernelDeclaration>> kernelsIn(const std::string& fileName, std::string_view text) {
  return readKernelText(fileName, text, {.tellsBranches = false}).map([](KernelText&& read) {
    return std::move(read.kernels);
  });
}

}  // namespace stridescope::engine::access
