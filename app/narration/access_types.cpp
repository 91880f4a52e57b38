#include "narration/access_types.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "model/array_names.h"

namespace stridescope::narration {
namespace {

using model::NumberKind;

struct Token {
  std::string_view text;
  int line = 1, column = 1;  // 1-based, in bytes

  bool isName() const { return std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_'; }
};

// Names, numbers and single signs, but "->" and "::"; without comments, texts in quotes and directives.
std::vector<Token> tokensOf(std::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  std::size_t lineBegin = 0;
  bool isFirst = true;  // of its line
  const auto skipTo = [&](std::size_t at, std::size_t end) {
    for (; at < end; ++at)
      if (text[at] == '\n') ++line, lineBegin = at + 1, isFirst = true;
    return end;
  };
  const auto endOf = [&](std::string_view what, std::size_t from) {
    const std::size_t found = text.find(what, from);
    return found == std::string_view::npos ? text.size() : found + what.size();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
      at = skipTo(at, at + 1);
    } else if (rest.starts_with("//") || (rest[0] == '#' && isFirst)) {
      at = skipTo(at, endOf("\n", at));
    } else if (rest.starts_with("/*")) {
      at = skipTo(at, endOf("*/", at + 2));
    } else if (rest[0] == '"' || rest[0] == '\'') {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != rest[0]) end += text[end] == '\\' ? 2 : 1;
      at = skipTo(at, std::min(end + 1, text.size()));
    } else {
      const auto isOfWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      };
      std::size_t length = std::size_t(std::ranges::find_if_not(rest, isOfWord) - rest.begin());
      if (length == 0) length = rest.starts_with("->") || rest.starts_with("::") ? 2 : 1;
      tokens.push_back({rest.substr(0, length), line, int(at - lineBegin) + 1});
      isFirst = false;
      at += length;
    }
  }
  return tokens;
}

struct NamedNumber {
  std::string_view name;
  NumberKind kind;
  unsigned bytes;
};
constexpr std::array kNumbers{
    NamedNumber{"float", NumberKind::Floating, 4},    NamedNumber{"double", NumberKind::Floating, 8},
    NamedNumber{"bool", NumberKind::Bool, 1},         NamedNumber{"__half", NumberKind::Half, 2},
    NamedNumber{"half", NumberKind::Half, 2},         NamedNumber{"__nv_bfloat16", NumberKind::Bfloat, 2},
    NamedNumber{"size_t", NumberKind::Unsigned, 8},   NamedNumber{"uint", NumberKind::Unsigned, 4},
    NamedNumber{"int8_t", NumberKind::Signed, 1},     NamedNumber{"int16_t", NumberKind::Signed, 2},
    NamedNumber{"int32_t", NumberKind::Signed, 4},    NamedNumber{"int64_t", NumberKind::Signed, 8},
    NamedNumber{"uint8_t", NumberKind::Unsigned, 1},  NamedNumber{"uint16_t", NumberKind::Unsigned, 2},
    NamedNumber{"uint32_t", NumberKind::Unsigned, 4}, NamedNumber{"uint64_t", NumberKind::Unsigned, 8}};
// With a count behind them: "float4".
constexpr std::array kVectors{
    NamedNumber{"char", NumberKind::Signed, 1},         NamedNumber{"uchar", NumberKind::Unsigned, 1},
    NamedNumber{"short", NumberKind::Signed, 2},        NamedNumber{"ushort", NumberKind::Unsigned, 2},
    NamedNumber{"int", NumberKind::Signed, 4},          NamedNumber{"uint", NumberKind::Unsigned, 4},
    NamedNumber{"longlong", NumberKind::Signed, 8},     NamedNumber{"ulonglong", NumberKind::Unsigned, 8},
    NamedNumber{"float", NumberKind::Floating, 4},      NamedNumber{"double", NumberKind::Floating, 8},
    NamedNumber{"__half", NumberKind::Half, 2},         NamedNumber{"half", NumberKind::Half, 2},
    NamedNumber{"__nv_bfloat16", NumberKind::Bfloat, 2}};

AccessType numbersOf(NumberKind kind, unsigned bytes, unsigned count, std::string name = {}) {
  AccessType type;
  for (unsigned i = 0; i < count; ++i) type.numbers.push_back({kind, bytes, i * bytes, {}});
  type.name = name.empty() ? model::cppNameOf(type.numbers[0]) : std::move(name);
  return type;
}

// The type that is one word: "float", "float4", "uint8_t".
AccessType typeOfWord(std::string_view word) {
  for (const NamedNumber& number : kNumbers)
    if (word == number.name) return numbersOf(number.kind, number.bytes, 1);
  const char last = word.empty() ? '\0' : word.back();
  for (const NamedNumber& number : kVectors)
    if (last >= '2' && last <= '4' && word.substr(0, word.size() - 1) == number.name)
      return numbersOf(number.kind, number.bytes, unsigned(last - '0'), std::string(word));
  return {};
}

// The type of the words that C++ has for whole numbers, in any order: "unsigned", "long long int".
AccessType typeOfWords(const std::vector<std::string_view>& words) {
  const auto countOf = [&](std::string_view word) { return std::ranges::count(words, word); };
  const NumberKind kind = countOf("unsigned") > 0 ? NumberKind::Unsigned : NumberKind::Signed;
  const unsigned bytes = countOf("char") > 0 ? 1 : countOf("short") > 0 ? 2 : countOf("long") > 0 ? 8 : 4;
  return numbersOf(kind, bytes, 1);
}

bool isWordOfWholeNumber(std::string_view word) {
  constexpr std::array<std::string_view, 6> kWords{"unsigned", "signed", "char", "short", "int", "long"};
  return std::ranges::find(kWords, word) != kWords.end();
}
bool isQualifier(std::string_view word) {
  constexpr std::array<std::string_view, 5> kWords{"const", "volatile", "__restrict__", "__restrict",
                                                   "restrict"};
  return std::ranges::find(kWords, word) != kWords.end();
}

// What the text between a brace and its partner declares.
struct Scope {
  std::map<std::string_view, AccessType> pointers{};  // to what they point
  std::map<std::string_view, AccessType> aliases{};   // using Real = float; and template parameters
  std::string_view structName{};                      // its members are declared here
};

// Goes through the text, and notes at the place of each site what its access is of.
class TypeReader {
 public:
  explicit TypeReader(const model::Trace& trace) : trace_(trace), tokens_(tokensOf(trace.kernelText)) {
    scopes_.emplace_back();
    for (std::uint32_t id = 0; id < trace.sites.size(); ++id) order_.push_back(id);
    std::ranges::sort(order_, {}, [&](std::uint32_t id) {
      return std::pair(trace.sites[id].line, trace.sites[id].column);
    });
    types_.resize(trace.sites.size());
  }

  std::vector<AccessType> read() && {
    std::size_t next = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::pair place(tokens_[i].line, tokens_[i].column);
      for (; next < order_.size(); ++next) {
        const model::Site& site = trace_.sites[order_[next]];
        if (std::pair(site.line, site.column) > place) break;
        if (site.length > 0) types_[order_[next]] = typeOfSite(site);
      }
      note(i);
    }
    return std::move(types_);
  }

 private:
  bool is(const std::vector<Token>& tokens, std::size_t i, std::string_view what) const {
    return i < tokens.size() && tokens[i].text == what;
  }

  template <class Member>
  const AccessType* found(Member member, std::string_view name) const {
    if (const auto at = (next_.*member).find(name); at != (next_.*member).end()) return &at->second;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
      if (const auto at = ((*scope).*member).find(name); at != ((*scope).*member).end()) return &at->second;
    return nullptr;
  }

  // The type that stands at token `i`, and the token behind it. Nothing: no type is there. One of a struct
  // has no numbers, but a name.
  std::optional<std::pair<AccessType, std::size_t>> typeAt(const std::vector<Token>& tokens,
                                                           std::size_t i) const {
    while (i < tokens.size() && isQualifier(tokens[i].text)) ++i;
    if (is(tokens, i, "std") && is(tokens, i + 1, "::")) i += 2;
    if (i >= tokens.size() || !tokens[i].isName()) return std::nullopt;
    AccessType type;
    if (isWordOfWholeNumber(tokens[i].text)) {
      std::vector<std::string_view> words;
      for (; i < tokens.size() && isWordOfWholeNumber(tokens[i].text); ++i) words.push_back(tokens[i].text);
      type = typeOfWords(words);
    } else {
      const std::string_view word = tokens[i++].text;
      if (const AccessType* const alias = found(&Scope::aliases, word))
        type = *alias;
      else if (type = typeOfWord(word); type.numbers.empty()) {
        if (!members_.contains(word)) return std::nullopt;
        type.name = word;
      }
    }
    while (i < tokens.size() && isQualifier(tokens[i].text)) ++i;
    return std::pair(std::move(type), i);
  }

  // The cast to a pointer that begins at token `i`, at its bracket: (float*), <float*>.
  std::optional<AccessType> castAt(const std::vector<Token>& tokens, std::size_t i) const {
    const bool isWord = is(tokens, i, "<"), isPlain = is(tokens, i, "(");
    if (!isWord && !isPlain) return std::nullopt;
    auto type = typeAt(tokens, i + 1);
    if (!type || !(is(tokens, type->second, "*") || is(tokens, type->second, "&"))) return std::nullopt;
    std::size_t end = type->second + 1;
    while (end < tokens.size() && isQualifier(tokens[end].text)) ++end;
    if (!is(tokens, end, isWord ? ">" : ")")) return std::nullopt;
    return std::move(type->first);
  }

  // The type of what tokens give that are an operand or its address: that of their casts, or else of the
  // pointers that they name outside of subscripts. Nothing: there is none, or they are of several types.
  std::optional<AccessType> typeOfOperand(const std::vector<Token>& tokens, std::size_t begin,
                                          std::size_t end) const {
    std::optional<AccessType> cast, named;
    bool isOne = true;
    int depth = 0;  // of subscripts
    const auto take = [&](std::optional<AccessType>& into, const AccessType& type) {
      isOne = isOne && (!into || into->name == type.name);
      if (!into) into = type;
    };
    for (std::size_t i = begin; i < end; ++i) {
      depth += tokens[i].text == "[" ? 1 : tokens[i].text == "]" ? -1 : 0;
      if (depth > 0) continue;
      if (const auto type = castAt(tokens, i)) take(cast, *type);
      const bool isMember = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == "->");
      if (cast || isMember) continue;
      if (const AccessType* const type = found(&Scope::pointers, tokens[i].text)) take(named, *type);
    }
    return !isOne ? std::nullopt : cast ? cast : named;
  }

  AccessType typeOfSite(const model::Site& site) const {
    const std::vector<Token> tokens = tokensOf(site.text);
    const auto whole = typeOfOperand(tokens, 0, tokens.size());
    if (!whole) return {};
    // "pairs[i].key": the last member outside of subscripts.
    AccessType type = *whole;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      depth += tokens[i].text == "[" || tokens[i].text == "(" ? 1 : 0;
      depth -= tokens[i].text == "]" || tokens[i].text == ")" ? 1 : 0;
      if (depth > 0 || (tokens[i].text != "." && tokens[i].text != "->")) continue;
      const std::string_view member = tokens[i + 1].text;
      if (!type.numbers.empty()) {
        if (type.numbers.size() == 1 || std::string_view("xyzw").find(member) == std::string_view::npos)
          return {};
        type = numbersOf(type.numbers[0].kind, type.numbers[0].bytes, 1);
      } else {
        const auto known = members_.find(type.name);
        if (known == members_.end() || !known->second.contains(member)) return {};
        type = known->second.find(member)->second;
      }
    }
    return type;
  }

  // What the declaration says that the token begins, if one does.
  void note(std::size_t i) {
    const std::string_view word = tokens_[i].text;
    if (word == "{") {
      scopes_.push_back(std::move(next_));
      next_ = {};
    } else if (word == "}") {
      if (scopes_.size() > 1) scopes_.pop_back();
    } else if (word == "(") {
      ++brackets_;
    } else if (word == ")") {
      brackets_ -= brackets_ > 0 ? 1 : 0;
    } else if (word == ";" && brackets_ == 0) {
      next_ = {};
    } else if ((word == "struct" || word == "class") && i + 1 < tokens_.size()) {
      noteStruct(i + 1);
    } else if (word == "using" || word == "typedef") {
      noteAlias(i);
    } else if (word == "template" && is(tokens_, i + 1, "<")) {
      noteTemplate(i + 2);
    } else {
      noteDeclaration(i);
    }
  }

  void noteStruct(std::size_t i) {
    if (is(tokens_, i, "__align__") || is(tokens_, i, "alignas"))
      while (i < tokens_.size() && tokens_[i++].text != ")") continue;
    if (i + 1 >= tokens_.size() || !tokens_[i].isName()) return;
    if (tokens_[i + 1].text != "{" && tokens_[i + 1].text != ":") return;
    next_.structName = tokens_[i].text;
    members_.try_emplace(std::string(tokens_[i].text));
  }

  void noteAlias(std::size_t i) {
    if (tokens_[i].text == "using") {
      if (!is(tokens_, i + 2, "=")) return;
      const auto type = typeAt(tokens_, i + 3);
      if (type && is(tokens_, type->second, ";")) scopes_.back().aliases[tokens_[i + 1].text] = type->first;
    } else if (const auto type = typeAt(tokens_, i + 1); type && is(tokens_, type->second + 1, ";")) {
      scopes_.back().aliases[tokens_[type->second].text] = type->first;
    }
  }

  // The arguments are those that the function's instance has in its name, if there is only one:
  // "k<float, 64>".
  void noteTemplate(std::size_t i) {
    std::vector<std::string_view> parameters(1);
    int depth = 0;
    for (; i < tokens_.size() && (depth > 0 || tokens_[i].text != ">"); ++i) {
      depth += tokens_[i].text == "<" ? 1 : tokens_[i].text == ">" ? -1 : 0;
      if (depth == 0 && tokens_[i].text == ",") parameters.emplace_back();
      const bool isType = is(tokens_, i - 1, "class") || is(tokens_, i - 1, "typename");
      if (depth == 0 && isType) parameters.back() = tokens_[i].text;
    }
    // The function's name stands before the first bracket.
    std::size_t name = i;
    while (name < tokens_.size() && tokens_[name].text != "(" && tokens_[name].text != "{" &&
           tokens_[name].text != ";")
      ++name;
    // __launch_bounds__(256) stands before it.
    if (name > 0 && is(tokens_, name - 1, "__launch_bounds__")) {
      while (name < tokens_.size() && tokens_[name].text != ")") ++name;
      while (name < tokens_.size() && tokens_[name].text != "(") ++name;
    }
    if (name == 0 || !is(tokens_, name, "(")) return;
    const auto arguments = argumentsOf(tokens_[name - 1].text);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (parameters[p].empty()) continue;
      AccessType& type = next_.aliases[parameters[p]] = {};
      if (p >= arguments.size()) continue;
      const std::vector<Token> argument = tokensOf(arguments[p]);
      if (const auto known = typeAt(argument, 0); known && known->second == argument.size())
        type = known->first;
    }
  }

  // Those of the one instance of a function template among the functions of the trace; empty: there are
  // several.
  std::vector<std::string_view> argumentsOf(std::string_view function) const {
    std::string_view instance;
    for (const model::KernelFunction& each : trace_.kernel.functions) {
      const std::string_view name = each.name;
      if (!name.starts_with(function) || !name.substr(function.size()).starts_with('<')) continue;
      if (!instance.empty() && instance != name) return {};
      instance = name;
    }
    std::vector<std::string_view> arguments;
    if (instance.empty()) return arguments;
    std::string_view rest = instance.substr(function.size() + 1);
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const bool isEnd = depth == 0 && (rest[i] == ',' || rest[i] == '>');
      if (isEnd) arguments.push_back(rest.substr(begin, i - begin));
      if (isEnd) begin = i + 1;
      if (isEnd && rest[i] == '>') break;
      depth += rest[i] == '<' || rest[i] == '(' ? 1 : rest[i] == '>' || rest[i] == ')' ? -1 : 0;
    }
    return arguments;
  }

  bool isBehindType(std::size_t i) const {
    if (i == 0) return false;
    const Token& before = tokens_[i - 1];
    return before.isName() && !isQualifier(before.text) && !before.text.starts_with("__") &&
           before.text != "extern" && before.text != "static" && before.text != "return";
  }

  void noteDeclaration(std::size_t i) {
    if (!tokens_[i].isName() || isBehindType(i) || is(tokens_, i - 1, "::")) return;
    const bool isAuto = tokens_[i].text == "auto";
    const auto type = isAuto ? std::optional(std::pair(AccessType{}, i + 1)) : typeAt(tokens_, i);
    if (!type) return;
    // Each declarator, to the end of the statement or of a parameter.
    for (std::size_t at = type->second; at < tokens_.size();) {
      bool isPointer = false;
      for (; at < tokens_.size() &&
             (tokens_[at].text == "*" || tokens_[at].text == "&" || isQualifier(tokens_[at].text));
           ++at)
        isPointer = isPointer || !isQualifier(tokens_[at].text);
      if (at + 1 >= tokens_.size() || !tokens_[at].isName()) return;
      const std::string_view name = tokens_[at].text, behind = tokens_[at + 1].text;
      if (behind.size() != 1 || std::string_view("=;,)({[").find(behind) == std::string_view::npos) return;
      const std::size_t end = endOfDeclarator(at + 1);
      AccessType of = type->first;
      if (isPointer && brackets_ > 0 && of.numbers.empty()) of = givenType(i, type->second, name);
      if (isAuto) {
        const auto initial = typeOfOperand(tokens_, at + 1, end);
        if (!initial && !isPointer) return;
        of = initial.value_or(AccessType{});
      }
      const bool isFunction = behind == "(" && scopes_.size() == 1;
      const bool isHeld = isPointer || isAuto || behind == "[";
      // Parameters are of the scope that their function's brace opens.
      Scope& scope = brackets_ > 0 ? next_ : scopes_.back();
      if (isHeld && !isFunction)
        scope.pointers[name] = of;
      else if (!isFunction && found(&Scope::pointers, name) != nullptr)
        scope.pointers[name] = {};  // it hides a pointer
      if (!isPointer && !isFunction && !scope.structName.empty() && brackets_ == 0)
        members_[std::string(scope.structName)].insert_or_assign(std::string(name), of);
      if (brackets_ > 0 || !is(tokens_, end, ",")) return;
      at = end + 1;
    }
  }

  // A template parameter is what the array is of that the kernel is given for such a parameter: T of
  // `const T* in`. The type's tokens are those from `i` on.
  AccessType givenType(std::size_t i, std::size_t end, std::string_view parameter) {
    const auto word =
        std::ranges::find_if(tokens_.begin() + std::ptrdiff_t(i), tokens_.begin() + std::ptrdiff_t(end),
                             [&](const Token& token) { return next_.aliases.contains(token.text); });
    AccessType type;
    for (const model::LaunchTrace& launch : trace_.launches)
      for (const model::Array& buffer : launch.buffers) {
        const std::vector<model::MemberType> cells = model::cellsOf(buffer);
        const bool isKnown = buffer.type || !buffer.members.empty();
        if (buffer.name != parameter || !isKnown || cells.size() != 1) continue;
        AccessType given = numbersOf(cells[0].kind, cells[0].bytes, 1);
        if (!type.numbers.empty() && type.name != given.name) return {};
        type = std::move(given);
      }
    if (word != tokens_.begin() + std::ptrdiff_t(end)) next_.aliases[word->text] = type;
    return type;
  }

  // The comma or the semicolon behind it, or the bracket that it stands in.
  std::size_t endOfDeclarator(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      const std::string_view word = tokens_[i].text;
      const bool opens = word == "(" || word == "[" || word == "{";
      const bool closes = word == ")" || word == "]" || word == "}";
      if (depth == 0 && (word == "," || word == ";" || closes)) return i;
      depth += opens ? 1 : closes ? -1 : 0;
    }
    return i;
  }

  const model::Trace& trace_;
  const std::vector<Token> tokens_;
  std::vector<std::uint32_t> order_;  // the sites by their place
  std::vector<AccessType> types_;     // by site
  std::vector<Scope> scopes_;         // the innermost last
  Scope next_;                        // of the next brace
  int brackets_ = 0;                  // round ones around the token
  // By struct, its members that are numbers, vectors or structs.
  std::map<std::string, std::map<std::string, AccessType, std::less<>>, std::less<>> members_;
};

}  // namespace

AccessTypes::AccessTypes(const model::Trace& trace) : types_(TypeReader(trace).read()) {}

AccessType AccessTypes::of(std::uint32_t site, unsigned width) const {
  if (site >= types_.size() || types_[site].numbers.empty()) return {};
  const AccessType& type = types_[site];
  if (type.bytes() == width) return type;
  const model::MemberType& number = type.numbers[0];
  if (type.numbers.size() == 1 || width > type.bytes() || width % number.bytes != 0) return {};
  const unsigned count = width / number.bytes;
  return numbersOf(number.kind, number.bytes, count,
                   count == 1 ? "" : model::cppNameOf(number) + "[" + std::to_string(count) + "]");
}

bool isDeclaredWithoutSize(const std::string& text, const std::string& name) {
  const std::vector<Token> tokens = tokensOf(text);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i)
    if (tokens[i].text == name && tokens[i + 1].text == "[" && tokens[i + 2].text == "]") return true;
  return false;
}

}  // namespace stridescope::narration
