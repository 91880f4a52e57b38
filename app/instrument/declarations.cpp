#include "instrument/declarations.h"

#include <algorithm>
#include <array>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

// Operators that a struct may define: none of them can stand for an access.
constexpr std::array<std::string_view, 11> kHarmlessOperators{"+",  "-",  "/",  "%",  "<", ">",
                                                              "==", "!=", "<=", ">=", "("};

class DeclarationReader {
 public:
  DeclarationReader(const Source& source, const TypeNames& types) : source_(source), types_(types) {
    result_.roles.assign(source.tokens.size(), Role::Expression);
    result_.names.insert(types.constants.begin(), types.constants.end());
  }

  Accepted<Declarations> run() {
    for (int i = 0; i < source_.size(); ++i) {
      if (source_.is(i, "[") && source_.is(i + 1, "[")) {
        markAttribute(i);
        i = source_.partnerOf(i);
      } else if (result_.roleOf(i) == Role::Expression && startsType(i)) {
        if (auto read = readDeclaration(i); !read) return tl::unexpected(read.error());
      } else if (source_.is(i, "operator") && result_.roleOf(i) == Role::Expression) {
        return refuse(source_[i], "Conversion operators are not supported yet. Write a function.");
      } else if (isClassWithoutAName(i)) {
        return refuse(source_[i], "A struct without a name is not supported yet. Give it one.");
      } else if (isCaptureWithValue(i)) {
        if (source_.is(i - 1, "&")) return refuseReference(i - 1);
        addName(i);
        result_.declared.push_back({.token = i});
      }
    }
    if (auto checked = checkDimensions(); !checked) return tl::unexpected(checked.error());
    return std::move(result_);
  }

 private:
  void mark(int i, Role role) { result_.roles[static_cast<std::size_t>(i)] = role; }

  void markAttribute(int open) {
    for (int i = open; i <= source_.partnerOf(open); ++i) mark(i, Role::Attribute);
  }

  void addName(int i) {
    mark(i, Role::Name);
    result_.names.insert(source_[i].text);
  }

  bool isTypeWord(int i) const { return source_.isIdentifier(i) && types_.isType(source_[i].text); }

  bool startsType(int i) const {
    if (!source_.isIdentifier(i) || source_.is(i - 1, ".") || source_.is(i - 1, "->")) {
      const bool trailingReturn = source_.is(i - 1, "->") && isTypeWord(i);
      if (!trailingReturn) return false;
    }
    return isTypeWord(i) || isSpecifier(source_[i].text);
  }

  bool isClassWithoutAName(int i) const {
    return (source_.is(i, "struct") || source_.is(i, "class") || source_.is(i, "union")) &&
           source_.is(i + 1, "{");
  }

  // x in [x = ...](...) { ... }, also in [&x = ...].
  bool isCaptureWithValue(int i) const {
    if (!source_.isIdentifier(i) || !source_.is(i + 1, "=") || isKeyword(source_[i].text)) return false;
    int before = source_.is(i - 1, "&") ? i - 2 : i - 1;
    if (!source_.is(before, "[") && !source_.is(before, ",")) return false;
    while (before >= 0 && !source_.is(before, "[") && !source_.is(before, ";") && !source_.is(before, "{"))
      before = source_.closes(before) ? source_.partnerOf(before) - 1 : before - 1;
    return source_.is(before, "[") && source_.partnerOf(before) > i;
  }

  // A declaration's first token stands where a statement can begin; then commas separate declarators.
  bool standsAtStatementStart(int i) const {
    if (i == 0) return true;
    for (std::string_view before : {";", "{", "}", ":", "else", "do"})
      if (source_.is(i - 1, before)) return true;
    if (source_.isKind(i - 1, TokenKind::Text)) return true;  // extern "C"
    if (result_.roleOf(i - 1) == Role::Attribute) return true;
    if (source_.is(i - 1, ">") && source_.partnerOf(i - 1) > 0) return true;  // template <...>
    if (source_.is(i - 1, "(")) return source_.is(i - 2, "for");
    return source_.is(i - 1, ")");
  }

  Accepted<void> readDeclaration(int first) {
    const bool list = standsAtStatementStart(first);
    type_ = first;
    bool isAuto = false;
    auto afterType = readType(first, isAuto);
    if (!afterType) return tl::unexpected(afterType.error());
    int i = *afterType;
    if (i < 0) return {};
    if (isAuto && source_.is(i, "[") && !source_.is(i + 1, "["))
      return refuse(source_[i],
                    "Structured bindings are not supported yet. Declare each variable on its own.");
    while (true) {
      auto afterDeclarator = readDeclarator(i);
      if (!afterDeclarator) return tl::unexpected(afterDeclarator.error());
      if (!list || *afterDeclarator < 0) return {};
      i = skipInitializer(*afterDeclarator);
      if (!source_.is(i, ",")) return {};
      ++i;
    }
  }

  // Marks the type's tokens; returns the one after them, or -1 if no declarator can follow.
  Accepted<int> readType(int first, bool& isAuto) {
    int namedTypes = 0;
    int builtIns = 0;
    int i = first;
    while (source_.isIdentifier(i)) {
      const std::string_view word = source_[i].text;
      const bool type = types_.isType(word);
      if (!type && !isSpecifier(word)) break;
      mark(i, Role::Type);
      isAuto = isAuto || word == "auto";
      if (type) {
        const bool arithmetic = isBuiltInType(word, source_.preamble) && word != "T";
        (arithmetic ? builtIns : namedTypes) += 1;
        if (namedTypes > 1 || (namedTypes == 1 && builtIns > 0))
          return refuse(source_[i],
                        "The name " + std::string(word) + " is a type's. Choose another for this.");
        if (source_.is(i + 1, "<") && source_.opens(i + 1)) i = source_.partnerOf(i + 1);
      } else if ((takesArgument(word)) && source_.is(i + 1, "(")) {
        i = source_.partnerOf(i + 1);
      } else if (word == "extern" && source_.isKind(i + 1, TokenKind::Text)) {
        ++i;
      }
      ++i;
    }
    return source_.is(i, "::") ? -1 : i;
  }

  bool isReference(int i) const { return source_.is(i, "&") || source_.is(i, "&&"); }

  tl::unexpected<Refusal> refuseReference(int i) const {
    return refuse(
        source_[i],
        "Accesses through a reference are not supported yet. Use a value, or a pointer and *p or p[i].");
  }

  tl::unexpected<Refusal> refuseArrayOfPointers(int i) const {
    return refuse(source_[i], "Arrays of pointers are not supported yet. Use one pointer and offsets.");
  }

  // Whether the token stands in the braces of a struct, and in no others within them.
  bool isMember(int token) const {
    int open = token - 1;
    while (open >= 0 && !source_.opens(open))
      open = source_.closes(open) ? source_.partnerOf(open) - 1 : open - 1;
    int before = open - 1;
    if (!source_.is(open, "{") || !source_.isIdentifier(before)) return false;
    --before;
    while (source_.is(before, ")")) before = source_.partnerOf(before) - 2;  // alignas(16)
    return source_.is(before, "struct");
  }

  // Reads pointers, the name and the dimensions from `i` on; returns the token after them, or -1 if what
  // stands there declares nothing.
  Accepted<int> readDeclarator(int i) {
    int pointers = 0;
    while (true) {
      if (isReference(i)) return refuseReference(i);
      if (source_.is(i, "*")) {
        if (++pointers > 1)
          return refuse(source_[i],
                        "Pointers to pointers are not supported yet. Use one pointer and an offset.");
        mark(i, Role::Pointer);
      } else if (source_.isIdentifier(i) && isSpecifier(source_[i].text)) {
        mark(i, Role::Type);
      } else {
        break;
      }
      ++i;
    }
    if (source_.is(i, "(") && (source_.is(i + 1, "*") || isReference(i + 1))) {
      const bool rows = source_.is(source_.partnerOf(i) + 1, "[");
      if (pointers > 0 && rows) return refuseArrayOfPointers(i);
      return readNestedDeclarator(i);
    }
    if (source_.is(i, "operator")) return readOperator(i);
    int name = -1;
    if (source_.isIdentifier(i) && !isKeyword(source_[i].text)) {
      if (types_.isType(source_[i].text))
        return refuse(source_[i],
                      "The name " + std::string(source_[i].text) + " is a type's. Choose another.");
      name = i;
      addName(i);
      ++i;
    }
    int dimensions = 0;
    const int bracket = i;
    i = readDimensions(i, dimensions);
    const bool isMembersRow = dimensions == 1 && name >= 0 && isMember(name);
    if (pointers > 0 && dimensions > 0 && !isMembersRow) return refuseArrayOfPointers(bracket);
    if (name >= 0) result_.declared.push_back({name, type_, dimensions, pointers > 0});
    return name >= 0 ? i : -1;
  }

  // (*name)[33]: a pointer to rows. `int(*p)` is a cast of what p points at and stays an expression.
  Accepted<int> readNestedDeclarator(int open) {
    const int close = source_.partnerOf(open);
    if (source_.is(close + 1, "("))
      return refuse(source_[open], "Function pointers are not supported yet. Call the function by its name.");
    if (!source_.is(close + 1, "["))
      return isReference(open + 1) ? Accepted<int>(refuseReference(open + 1)) : -1;
    if (isReference(open + 1)) return refuseReference(open + 1);
    const int name = open + 2;
    if (!source_.isIdentifier(name) || isKeyword(source_[name].text) || name + 1 != close)
      return refuse(source_[open], "This declaration cannot be read. Write a plain pointer.");
    mark(open + 1, Role::Pointer);
    addName(name);
    int dimensions = 1;
    const int after = readDimensions(close + 1, dimensions);
    result_.declared.push_back({name, type_, dimensions, true});
    return after;
  }

  Accepted<int> readOperator(int keyword) {
    const int symbol = keyword + 1;
    const bool harmless =
        source_.has(symbol) &&
        std::ranges::find(kHarmlessOperators, source_[symbol].text) != kHarmlessOperators.end();
    if (!harmless || (source_.is(symbol, "(") && source_.partnerOf(symbol) != symbol + 1))
      return refuse(source_[keyword],
                    "An operator of your own can hide an access. Write a function with a name.");
    mark(keyword, Role::Type);
    return source_.is(symbol, "(") ? symbol + 2 : symbol + 1;
  }

  int readDimensions(int i, int& dimensions) {
    while (source_.is(i, "[") && !source_.is(i + 1, "[")) {
      mark(i, Role::ArrayBracket);
      ++dimensions;
      i = source_.partnerOf(i) + 1;
    }
    return i;
  }

  // From after a declarator to the comma or semicolon that ends it, or to a function's body.
  int skipInitializer(int i) const {
    bool initialized = false;
    while (source_.has(i)) {
      if (source_.is(i, ",") || source_.is(i, ";") || source_.closes(i)) return i;
      const bool body = source_.is(i, "{") && !initialized && result_.roleOf(i - 1) != Role::Name &&
                        !source_.is(i - 1, "]");
      if (body) return i;
      initialized = initialized || source_.is(i, "=");
      i = source_.opens(i) ? source_.partnerOf(i) + 1 : i + 1;
    }
    return i;
  }

  // Rows of an array cannot be told from elements if one name stands for both.
  Accepted<void> checkDimensions() {
    for (const DeclaredName& seen : result_.declared) {
      int& most = result_.dimensions[source_[seen.token].text];
      most = std::max(most, seen.dimensions);
    }
    for (const DeclaredName& seen : result_.declared) {
      const int most = result_.dimensions[source_[seen.token].text];
      if (most >= 2 && seen.dimensions != most)
        return refuse(source_[seen.token],
                      "The name " + std::string(source_[seen.token].text) +
                          " also stands for an array with other dimensions. Choose another.");
    }
    return {};
  }

  const Source& source_;
  const TypeNames& types_;
  int type_ = -1;  // the type of the declaration that is being read
  Declarations result_;
};

}  // namespace

Accepted<Declarations> readDeclarations(const Source& source, const TypeNames& types) {
  return DeclarationReader(source, types).run();
}

namespace {

class TypeNameReader {
 public:
  TypeNameReader(Source& source, bool withGroups) : source_(source) {
    names_.preamble = source.preamble;
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

bool TypeNames::isType(std::string_view word) const {
  return isBuiltInType(word, preamble) || types.contains(word);
}

Accepted<TypeNames> readTypeNames(Source& source, bool withGroups) {
  return TypeNameReader(source, withGroups).run();
}

}  // namespace stridescope::instrument
