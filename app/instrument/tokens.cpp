#include "instrument/tokens.h"

#include <array>
#include <optional>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

constexpr std::array<std::string_view, 6> kThreeByteOperators{"<<=", ">>=", "...", "->*", "<=>", "<<<"};
// ">>" is missing on purpose: it may close two template argument lists.
constexpr std::array<std::string_view, 20> kTwoByteOperators{
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "|=", "^=", "++", "--", "->", "::", "<<", ".*"};
constexpr std::array<std::string_view, 5> kDigraphs{"<:", ":>", "<%", "%>", "%:"};
constexpr std::string_view kOneByteOperators = "()[]{};,.:?+-*/%&|^~!=<>";

// Plain ASCII tests: the answer must not depend on the locale.
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isNamePart(char c) { return isNameStart(c) || isDigit(c); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool isStringPrefix(std::string_view word) {
  return word == "L" || word == "u" || word == "U" || word == "u8";
}
bool isRawStringPrefix(std::string_view word) {
  return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Accepted<TokenizedText> run() {
    while (at_ < text_.size()) {
      if (auto refusal = step()) return tl::unexpected(*std::move(refusal));
    }
    return std::move(result_);
  }

 private:
  using Problem = std::optional<Refusal>;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool startsWith(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }
  Refusal problemHere(std::string reason) const {
    return {line_, static_cast<int>(at_ - lineStart_) + 1, std::move(reason)};
  }
  void newLine() {
    ++at_;
    ++line_;
    lineStart_ = at_;
    lineIsEmpty_ = true;
  }

  Problem step() {
    const char c = peek();
    if (c == '\n') {
      newLine();
      return {};
    }
    if (isBlank(c)) {
      ++at_;
      return {};
    }
    if (startsWith("//")) return skipLineComment();
    if (startsWith("/*")) return skipBlockComment();
    if (c == '#' && lineIsEmpty_) return readDirective();
    lineIsEmpty_ = false;
    if (isNameStart(c)) return readName();
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) return readNumber();
    if (c == '"' || c == '\'') return readText(at_);
    return readPunctuation();
  }

  Problem skipLineComment() {
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::size_t last = end;
    while (last > at_ && isBlank(text_[last - 1])) --last;  // compilers overlook them too
    if (text_[last - 1] == '\\')
      return problemHere(
          "A comment that ends with a backslash swallows the next line. Remove the backslash.");
    at_ = end;
    return {};
  }

  Problem skipBlockComment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) return problemHere("This comment is not closed. Close it with */.");
    const bool wasEmpty = lineIsEmpty_;
    while (at_ < close + 2) {
      if (text_[at_] == '\n')
        newLine();
      else
        ++at_;
    }
    lineIsEmpty_ = lineIsEmpty_ && wasEmpty;
    return {};
  }

  Problem readDirective() {
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    if (line.find("/*") != std::string_view::npos)
      return problemHere(
          "A comment /* */ in a preprocessor line is not supported yet. Put it on a line of its own.");
    if (line.find('\\') != std::string_view::npos)
      return problemHere(
          "A preprocessor line that goes on in the next one is not supported yet. Write it in one line.");
    line = line.substr(0, line.find("//"));
    while (!line.empty() && isBlank(line.back())) line.remove_suffix(1);
    result_.directives.push_back(
        {TokenKind::Punctuation, static_cast<int>(at_), line_, static_cast<int>(at_ - lineStart_) + 1, line});
    at_ = end;
    return {};
  }

  Problem readName() {
    std::size_t end = at_;
    while (end < text_.size() && isNamePart(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    const char next = end < text_.size() ? text_[end] : '\0';
    if (next == '"' && isRawStringPrefix(word))
      return problemHere("Raw strings are not supported yet. Write an ordinary string.");
    if ((next == '"' || next == '\'') && isStringPrefix(word)) return readText(end);
    add(TokenKind::Identifier, end);
    return {};
  }

  // A preprocessing number, as the standard has it: digits, letters, dots, separators, signed exponents.
  Problem readNumber() {
    std::size_t end = at_ + 1;
    while (end < text_.size()) {
      const char c = text_[end];
      const char before = text_[end - 1];
      const bool exponent = before == 'e' || before == 'E' || before == 'p' || before == 'P';
      const bool separator =
          c == '\'' && isNamePart(before) && end + 1 < text_.size() && isNamePart(text_[end + 1]);
      if (!isNamePart(c) && c != '.' && !separator && !((c == '+' || c == '-') && exponent)) break;
      ++end;
    }
    if (end < text_.size() && (text_[end] == '\'' || text_[end] == '"'))
      return problemHere("Quotes cannot stand right after a number. Put a space or an operator between.");
    add(TokenKind::Number, end);
    return {};
  }

  Problem readText(std::size_t quoteAt) {
    const char quote = text_[quoteAt];
    std::size_t end = quoteAt + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      const bool escape = text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n';
      end += escape ? 2 : 1;
    }
    if (end >= text_.size() || text_[end] != quote)
      return problemHere("This text in quotes is not closed on its line. Close the quotes.");
    if (quote == '\'' && end == quoteAt + 1) return problemHere("These quotes are empty. Write a character.");
    add(TokenKind::Text, end + 1);
    return {};
  }

  Problem readPunctuation() {
    for (std::string_view digraph : kDigraphs)
      if (startsWith(digraph))
        return problemHere("The digraph " + std::string(digraph) +
                           " is not supported yet. Write the bracket itself, or put a space between.");
    for (std::string_view candidate : kThreeByteOperators)
      if (startsWith(candidate)) return add(TokenKind::Punctuation, at_ + 3), Problem{};
    for (std::string_view candidate : kTwoByteOperators)
      if (startsWith(candidate)) return add(TokenKind::Punctuation, at_ + 2), Problem{};
    if (kOneByteOperators.find(peek()) == std::string_view::npos)
      return problemHere("This character cannot stand here. Remove it.");
    add(TokenKind::Punctuation, at_ + 1);
    return {};
  }

  void add(TokenKind kind, std::size_t end) {
    result_.tokens.push_back({kind, static_cast<int>(at_), line_, static_cast<int>(at_ - lineStart_) + 1,
                              text_.substr(at_, end - at_)});
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t lineStart_ = 0;
  int line_ = 1;
  bool lineIsEmpty_ = true;  // nothing but white space and comments since the line began
  TokenizedText result_;
};

}  // namespace

Accepted<TokenizedText> tokenize(std::string_view text) { return Tokenizer(text).run(); }

namespace {

// Deeper than any kernel a person writes; keeps the recursion of the later steps bounded.
constexpr std::size_t kDeepestNesting = 200;

char closerOf(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

}  // namespace

std::string_view Source::slice(int first, int last) const {
  const auto begin = static_cast<std::size_t>((*this)[first].offset);
  return text.substr(begin, static_cast<std::size_t>((*this)[last].end()) - begin);
}

Accepted<Source> matchBrackets(std::string_view text, std::vector<Token> tokens) {
  Source source{text, std::move(tokens), {}};
  source.partner.assign(source.tokens.size(), -1);
  std::vector<int> open;
  for (int i = 0; i < source.size(); ++i) {
    const Token& token = source[i];
    if (token.kind != TokenKind::Punctuation || token.text.size() != 1) continue;
    const char c = token.text.front();
    if (c == '(' || c == '[' || c == '{') {
      if (open.size() == kDeepestNesting)
        return refuse(token, "The brackets are nested too deeply. Split the expression.");
      open.push_back(i);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || closerOf(source[open.back()].text.front()) != c)
        return refuse(token, "This " + std::string(1, c) + " closes nothing. Balance the brackets.");
      source.partner[static_cast<std::size_t>(i)] = open.back();
      source.partner[static_cast<std::size_t>(open.back())] = i;
      open.pop_back();
    }
  }
  if (!open.empty())
    return refuse(source[open.back()],
                  "This " + std::string(source[open.back()].text) + " is not closed. Balance the brackets.");
  return source;
}

int findTemplateClose(const Source& source, int open) {
  int depth = 0;
  for (int i = open; i < source.size(); ++i) {
    if (source.is(i, "<")) {
      ++depth;
    } else if (source.is(i, ">")) {
      if (--depth == 0) return i;
    } else if (source.is(i, "(") || source.is(i, "[")) {
      i = source.partnerOf(i);
    } else if (source.is(i, ";") || source.is(i, "{") || source.closes(i)) {
      return -1;
    }
  }
  return -1;
}

std::vector<int> enclosingBrackets(const Source& source) {
  std::vector<int> enclosing, open;
  for (int i = 0; i < source.size(); ++i) {
    if (source.closes(i) && !open.empty()) open.pop_back();
    enclosing.push_back(open.empty() ? -1 : open.back());
    if (source.opens(i)) open.push_back(i);
  }
  return enclosing;
}

namespace {

using Names = std::unordered_set<std::string_view>;

constexpr std::array<std::string_view, 8> kConstantOperators{"+", "-", "/", "%", "<<", "(", ")", "~"};

bool isConstantOperator(std::string_view text) {
  for (std::string_view candidate : kConstantOperators)
    if (candidate == text) return true;
  return false;
}

// Whether a #define's body is one whole operand: numbers, names of earlier constants, arithmetic without *.
bool isPlainConstant(const std::vector<Token>& body, const Names& earlier) {
  int depth = 0;
  bool operandBefore = false;
  for (const Token& token : body) {
    const bool isOperand = token.kind == TokenKind::Number || token.kind == TokenKind::Identifier;
    if (token.kind == TokenKind::Identifier && !earlier.contains(token.text)) return false;
    if (token.kind == TokenKind::Text) return false;
    if (token.kind == TokenKind::Punctuation && !isConstantOperator(token.text)) return false;
    const bool opens = token.text == "(";
    const bool closes = token.text == ")";
    const bool prefix = token.text == "-" || token.text == "+" || token.text == "~";
    if ((isOperand || opens || token.text == "~") && operandBefore) return false;
    if (!isOperand && !opens && !prefix && !operandBefore) return false;
    depth += opens ? 1 : closes ? -1 : 0;
    if (depth < 0) return false;
    operandBefore = isOperand || closes;
  }
  return operandBefore && depth == 0;
}

Accepted<std::string_view> readDefine(const Token& line, const std::vector<Token>& words,
                                      const Names& earlier, Preamble preamble) {
  if (words.size() < 2 || words[1].kind != TokenKind::Identifier)
    return refuse(line, "This #define has no name. Write #define NAME value.");
  const Token& name = words[1];
  if (isKeyword(name.text) || isBuiltInType(name.text, preamble) || isPredefined(name.text, preamble) ||
      isHarmlessFunction(name.text, preamble) || recordedOperation(name.text, preamble) ||
      reasonAgainst(name.text))
    return refuse(line, "This #define gives a known word another meaning. Choose another name.");
  const std::vector<Token> body(words.begin() + 2, words.end());
  const bool hasParameters = !body.empty() && body.front().text == "(" && body.front().offset == name.end();
  if (hasParameters)
    return refuse(line, "A #define with parameters can hide an access. Write a __device__ function.");
  if (!isPlainConstant(body, earlier))
    return refuse(line,
                  "A #define may only name a plain constant, as in #define COUNT 32. Write constexpr, using "
                  "or a __device__ function.");
  return name.text;
}

// The header that an #include may name; empty for others.
std::string_view headerOf(std::string_view line) {
  for (std::string_view header : {"cooperative_groups.h", "cooperative_groups/reduce.h"}) {
    const auto at = line.find('<');
    const bool named = at != std::string_view::npos && line.substr(at + 1).starts_with(header) &&
                       line.substr(at + 1 + header.size()) == ">";
    if (named) return header;
  }
  return {};
}

// What stands between the <> or the quotes of an #include that nothing follows; empty for others.
std::string_view includedName(std::string_view line) {
  const auto open = line.find_first_of("<\"");
  if (open == std::string_view::npos) return {};
  const char close = line[open] == '<' ? '>' : '"';
  const std::string_view rest = line.substr(open + 1);
  return rest.find(close) + 1 == rest.size() ? rest.substr(0, rest.size() - 1) : std::string_view();
}

// The tokens of a directive after its #; their places are relative to it.
Accepted<std::vector<Token>> wordsOf(const Token& line) {
  auto words = tokenize(line.text.substr(1));
  if (!words) return refuse(line, words.error().reason);
  if (!words->directives.empty()) return refuse(line, "This preprocessor line cannot be read. Remove it.");
  return std::move(words->tokens);
}

}  // namespace

Accepted<Directives> readDirectives(const std::vector<Token>& directives, Preamble preamble) {
  Directives result;
  for (const Token& line : directives) {
    auto words = wordsOf(line);
    if (!words) return tl::unexpected(words.error());
    const std::string_view name = words->empty() ? std::string_view() : words->front().text;
    if (name == "define") {
      auto defined = readDefine(line, *words, result.constants, preamble);
      if (!defined) return tl::unexpected(defined.error());
      result.constants.insert(*defined);
    } else if (name == "pragma") {
      const std::string_view which = words->size() > 1 ? (*words)[1].text : std::string_view();
      if (which != "unroll" && which != "nounroll")
        return refuse(line, "Of the pragmas only #pragma unroll is read. Remove this one.");
    } else if (name == "include") {
      if (preamble == Preamble::None && isPlainHeader(includedName(line.text))) continue;
      const std::string_view header = headerOf(line.text);
      if (header.empty())
        return refuse(line,
                      std::string("#include of other code is not supported yet. Write what you need into the "
                                  "kernel's text. Only <cooperative_groups.h> and "
                                  "<cooperative_groups/reduce.h>") +
                          (preamble == Preamble::Variant ? "" : ", and plain headers such as <cstdio>,") +
                          " may be included.");
      result.includes.emplace_back(header);
    } else if (name.starts_with("if") || name.starts_with("el") || name == "endif") {
      return refuse(line, "Conditional text is not supported yet. Write one text, or use if constexpr.");
    } else {
      return refuse(line, "This preprocessor line is not supported yet. Remove it.");
    }
  }
  return result;
}

}  // namespace stridescope::instrument
