#include "instrument/tokens.h"

#include <array>
#include <optional>

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

}  // namespace stridescope::instrument
