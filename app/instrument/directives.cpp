#include "instrument/directives.h"

#include <array>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
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
                                      const Names& earlier) {
  if (words.size() < 2 || words[1].kind != TokenKind::Identifier)
    return refuse(line, "This #define has no name. Write #define NAME value.");
  const Token& name = words[1];
  if (isKeyword(name.text) || isBuiltInType(name.text) || isPredefined(name.text) ||
      isHarmlessFunction(name.text) || recordedOperation(name.text) || reasonAgainst(name.text))
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

// The tokens of a directive after its #; their places are relative to it.
Accepted<std::vector<Token>> wordsOf(const Token& line) {
  auto words = tokenize(line.text.substr(1));
  if (!words) return refuse(line, words.error().reason);
  if (!words->directives.empty()) return refuse(line, "This preprocessor line cannot be read. Remove it.");
  return std::move(words->tokens);
}

}  // namespace

Accepted<Directives> readDirectives(const std::vector<Token>& directives) {
  Directives result;
  for (const Token& line : directives) {
    auto words = wordsOf(line);
    if (!words) return tl::unexpected(words.error());
    const std::string_view name = words->empty() ? std::string_view() : words->front().text;
    if (name == "define") {
      auto defined = readDefine(line, *words, result.constants);
      if (!defined) return tl::unexpected(defined.error());
      result.constants.insert(*defined);
    } else if (name == "pragma") {
      const std::string_view which = words->size() > 1 ? (*words)[1].text : std::string_view();
      if (which != "unroll" && which != "nounroll")
        return refuse(line, "Of the pragmas only #pragma unroll is read. Remove this one.");
    } else if (name == "include") {
      const std::string_view header = headerOf(line.text);
      if (header.empty())
        return refuse(
            line,
            "#include of other code is not supported yet. Write what you need into the kernel's text. Only "
            "<cooperative_groups.h> and <cooperative_groups/reduce.h> may be included.");
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
