#include "instrument/statements.h"

#include <algorithm>
#include <optional>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {
namespace {

constexpr int kDeepestStatement = 200;

enum class BraceKind { Initializer, Lambda, Function, Members };

class StatementReader {
 public:
  StatementReader(const Source& source, const Declarations& declarations)
      : source_(source), declarations_(declarations) {
    result_.statementOf.assign(source.tokens.size(), 0);
    result_.inFunction.assign(source.tokens.size(), false);
  }

  Accepted<Statements> run() {
    if (auto refusal = readSequence(0, source_.size())) return tl::unexpected(*std::move(refusal));
    std::ranges::sort(result_.controls, {}, &Control::keyword);
    return std::move(result_);
  }

 private:
  using Problem = std::optional<Refusal>;

  Problem problem(int i, std::string reason) const {
    const Token& token = source_[std::min(i, source_.size() - 1)];
    return Refusal{token.line, token.column, std::move(reason)};
  }

  Problem readSequence(int first, int end) {
    for (int i = first; i < end;)
      if (auto refusal = readStatement(i, end)) return refusal;
    return {};
  }

  // Reads the statement at `i` and moves `i` behind it.
  Problem readStatement(int& i, int end) {
    if (depth_ == kDeepestStatement) return problem(i, "Statements are nested too deeply. Write a function.");
    ++depth_;
    Problem refusal = readStatementAtDepth(i, end);
    --depth_;
    return refusal;
  }

  Problem readStatementAtDepth(int& i, int end) {
    if (i >= end) return problem(end, "A statement is missing here. Write one, or a semicolon.");
    if (source_.is(i, "{")) {
      const int close = source_.partnerOf(i);
      auto refusal = readSequence(i + 1, close);
      i = close + 1;
      return refusal;
    }
    if (source_.is(i, "if")) return readIf(i, end);
    if (source_.is(i, "for")) return readFor(i, end);
    if (source_.is(i, "while")) return readWhile(i, end);
    if (source_.is(i, "do")) return readDo(i, end);
    if (source_.is(i + 1, ":") && source_.isIdentifier(i)) {
      if (!isAccessLabel(i)) return problem(i, "Labels are not supported yet. Remove this one.");
      i += 2;
      return {};
    }
    return readSimple(i, end);
  }

  bool isAccessLabel(int i) const {
    return source_.is(i, "public") || source_.is(i, "private") || source_.is(i, "protected");
  }

  // The parentheses after a control's keyword; `i` moves behind them.
  Problem readHead(Control& control, int& i) {
    if (!source_.is(i, "(")) return problem(i, "Here a condition in parentheses is missing. Write it.");
    control.open = i;
    control.close = source_.partnerOf(i);
    control.conditionFirst = control.open + 1;
    control.conditionLast = control.close - 1;
    i = control.close + 1;
    return {};
  }

  Problem readIf(int& i, int end) {
    Control control{.kind = ControlKind::If, .keyword = i};
    if (source_.is(++i, "constexpr")) {
      control.kind = ControlKind::IfConstexpr;
      ++i;
    }
    if (auto refusal = readHead(control, i)) return refusal;
    if (auto refusal = readCondition(control)) return refusal;
    if (auto refusal = readBody(control, i, end)) return refusal;
    result_.controls.push_back(control);
    if (!source_.is(i, "else") || i >= end) return {};
    return readStatement(++i, end);
  }

  Problem readWhile(int& i, int end) {
    Control control{.kind = ControlKind::While, .keyword = i};
    if (auto refusal = readHead(control, ++i)) return refusal;
    if (auto refusal = readCondition(control)) return refusal;
    if (auto refusal = readBody(control, i, end)) return refusal;
    result_.controls.push_back(control);
    return {};
  }

  Problem readDo(int& i, int end) {
    Control control{.kind = ControlKind::DoWhile, .keyword = i};
    if (auto refusal = readBody(control, ++i, end)) return refusal;
    if (!source_.is(i, "while") || i >= end)
      return problem(i, "Here the while of a do is missing. Write do { ... } while (...);");
    if (auto refusal = readHead(control, ++i)) return refusal;
    if (auto refusal = readCondition(control)) return refusal;
    if (!source_.is(i, ";")) return problem(i, "After do ... while (...) a semicolon is missing. Write it.");
    ++i;
    result_.controls.push_back(control);
    return {};
  }

  Problem readFor(int& i, int end) {
    Control control{.kind = ControlKind::For, .keyword = i};
    if (auto refusal = readHead(control, ++i)) return refusal;
    std::vector<int> semicolons;
    for (int k = control.open + 1; k < control.close; ++k) {
      if (source_.is(k, ";")) semicolons.push_back(k);
      if (source_.opens(k)) k = source_.partnerOf(k);
    }
    if (semicolons.size() != 2)
      return problem(control.keyword,
                     "A range-based for is not supported yet. Write for (int i = 0; i < n; ++i) and a[i].");
    if (auto refusal = readExpression(control.open, semicolons[0])) return refusal;
    control.conditionFirst = semicolons[0] + 1;
    control.conditionLast = semicolons[1] - 1;
    control.incrementFirst = semicolons[1] + 1;
    control.incrementLast = control.close - 1;
    if (control.hasCondition())
      if (auto refusal = readCondition(control)) return refusal;
    if (auto refusal = readBody(control, i, end)) return refusal;
    if (auto refusal = readExpression(control.incrementFirst, control.incrementLast)) return refusal;
    result_.controls.push_back(control);
    return {};
  }

  Problem readCondition(const Control& control) {
    if (!control.hasCondition()) return problem(control.close, "A condition is missing here. Write it.");
    for (int i = control.conditionFirst; i <= control.conditionLast; ++i) {
      if (source_.is(i, ";"))
        return problem(i,
                       "A declaration in a condition is not supported yet. Declare the variable before it.");
      if (source_.is(i, ","))
        return problem(i,
                       "A comma in a condition is not supported yet. Write what precedes it as a statement.");
      if (declarations_.roleOf(i) == Role::Name)
        return problem(i,
                       "A declaration in a condition is not supported yet. Declare the variable before it.");
      if (source_.opens(i)) i = source_.partnerOf(i);
    }
    return readExpression(control.conditionFirst, control.conditionLast);
  }

  Problem readBody(Control& control, int& i, int end) {
    control.bodyFirst = i;
    auto refusal = readStatement(i, end);
    control.bodyLast = i - 1;
    return refusal;
  }

  // Numbers the tokens first..last as a statement of their own and reads the bodies of lambdas in them.
  Problem readExpression(int first, int last) {
    const int number = ++statements_;
    for (int i = first; i <= last; ++i) {
      assignNumber(i, number);
      if (auto refusal = refuseMisplaced(i)) return refusal;
      if (!source_.is(i, "{")) continue;
      if (braceKind(i) != BraceKind::Lambda) continue;
      if (auto refusal = readFunctionBody(i)) return refusal;
      i = source_.partnerOf(i);
      assignNumber(i, number);
    }
    return {};
  }

  // Up to a semicolon, or to the end of a function's body.
  Problem readSimple(int& i, int end) {
    const int first = i;
    const int number = ++statements_;
    int open = 0;  // brackets that were opened within the statement
    for (; i < end; ++i) {
      assignNumber(i, number);
      if (source_.is(i, ";")) {
        if (open > 0) return problem(i, "A semicolon stands inside brackets. Remove it.");
        ++i;
        return {};
      }
      if (auto refusal = refuseMisplaced(i)) return refusal;
      if (source_.is(i, "{")) {
        const BraceKind kind = braceKind(i);
        if (kind == BraceKind::Initializer) {
          ++open;
          continue;
        }
        const int close = source_.partnerOf(i);
        auto refusal = kind == BraceKind::Members ? readMembers(i) : readFunctionBody(i);
        if (refusal) return refusal;
        i = close;
        assignNumber(i, number);
        if (kind == BraceKind::Function && open == 0) {
          ++i;
          return {};
        }
        if (kind == BraceKind::Members && !source_.is(close + 1, ";"))
          return problem(close, "After this } a semicolon is missing. Declare variables on their own.");
      } else if (source_.opens(i) && !source_.is(i, "<")) {
        ++open;
      } else if (source_.closes(i) && !source_.is(i, ">")) {
        --open;
      }
    }
    return problem(first, "This statement does not end with a semicolon. Write one.");
  }

  Problem readFunctionBody(int open) {
    const int close = source_.partnerOf(open);
    for (int i = open; i <= close; ++i) result_.inFunction[static_cast<std::size_t>(i)] = true;
    if (depth_ == kDeepestStatement)
      return problem(open, "Statements are nested too deeply. Write a function.");
    ++depth_;
    auto refusal = readSequence(open + 1, close);
    --depth_;
    return refusal;
  }

  Problem readMembers(int open) {
    for (int i = open - 1; i >= 0 && !source_.is(i, ";") && !source_.is(i, "}"); --i)
      if (source_.is(i, "enum")) return {};  // constants, no statements
    return readSequence(open + 1, source_.partnerOf(open));
  }

  // if, for, ... in the midst of an expression: half of a statement was lost.
  Problem refuseMisplaced(int i) const {
    for (std::string_view word : {"if", "else", "for", "while", "do", "return", "break", "continue"}) {
      const bool begins = i == 0 || source_.is(i - 1, ";") || source_.is(i - 1, "{") ||
                          source_.is(i - 1, "}") || source_.is(i - 1, ")") || source_.is(i - 1, "else") ||
                          source_.is(i - 1, "do");
      const bool mayBegin = begins && (word == "return" || word == "break" || word == "continue");
      if (source_.is(i, word) && !mayBegin)
        return problem(i, std::string(word) + " cannot stand here. End the statement before it.");
    }
    return {};
  }

  BraceKind braceKind(int open) const {
    int i = open - 1;
    while (source_.is(i, "const") || source_.is(i, "mutable") || source_.is(i, "noexcept") ||
           source_.is(i, "override") || source_.is(i, "final"))
      --i;
    int arrow = i;
    while (source_.has(arrow) &&
           (declarations_.roleOf(arrow) == Role::Type || declarations_.roleOf(arrow) == Role::Pointer))
      --arrow;
    if (source_.is(arrow, "->")) i = arrow - 1;
    if (source_.is(i, ")")) {
      const int before = source_.partnerOf(i) - 1;
      return isLambdaIntroducer(before) ? BraceKind::Lambda : BraceKind::Function;
    }
    if (isLambdaIntroducer(i)) return BraceKind::Lambda;
    for (; i >= 0; --i) {
      if (source_.closes(i) && source_.is(i, ")")) i = source_.partnerOf(i) - 1;  // alignas(16)
      if (source_.is(i, ";") || source_.is(i, "{") || source_.is(i, "}") || source_.is(i, "(") ||
          source_.is(i, "=") || source_.is(i, ","))
        return BraceKind::Initializer;
      for (std::string_view word : {"struct", "class", "union", "enum"})
        if (source_.is(i, word)) return BraceKind::Members;
    }
    return BraceKind::Initializer;
  }

  // The ] of [&], [=], [x]: no operand precedes its [.
  bool isLambdaIntroducer(int close) const {
    if (!source_.is(close, "]")) return false;
    const int open = source_.partnerOf(close);
    if (declarations_.roleOf(open) != Role::Expression) return false;
    const int before = open - 1;
    if (!source_.has(before)) return false;
    if (source_.isIdentifier(before)) return isOperatorKeyword(source_[before].text);
    return !source_.is(before, ")") && !source_.is(before, "]") && !source_.is(before, "}") &&
           !source_.isKind(before, TokenKind::Number) && !source_.isKind(before, TokenKind::Text);
  }

  void assignNumber(int i, int number) { result_.statementOf[static_cast<std::size_t>(i)] = number; }

  const Source& source_;
  const Declarations& declarations_;
  Statements result_;
  int statements_ = 0;
  int depth_ = 0;
};

}  // namespace

Accepted<Statements> readStatements(const Source& source, const Declarations& declarations) {
  return StatementReader(source, declarations).run();
}

Expressions::Expressions(const Source& source, const Declarations& declarations, const Statements& statements)
    : source_(source), declarations_(declarations) {
  const auto count = static_cast<std::size_t>(source.size());
  controlParenthesis_.assign(count, false);
  unevaluated_.assign(count, false);
  const auto markUnevaluated = [&](int first, int last) {
    for (int i = first; i <= last; ++i) unevaluated_[static_cast<std::size_t>(i)] = true;
  };
  for (const Control& control : statements.controls) {
    controlParenthesis_[static_cast<std::size_t>(control.close)] = true;
    if (control.kind == ControlKind::IfConstexpr)
      markUnevaluated(control.conditionFirst, control.conditionLast);
  }
  for (int i = 1; i < source.size(); ++i) {
    const bool templateList = source.is(i, "<") && source.opens(i);
    const bool argument = source.is(i, "(") && stridescope::instrument::isUnevaluated(source[i - 1].text);
    if (templateList || argument) markUnevaluated(i, source.partnerOf(i));
  }
  findEnds();
}

bool Expressions::endsOperand(int i) const {
  while (source_.is(i, "++") || source_.is(i, "--")) --i;  // x++ ends an operand if x does
  if (!source_.has(i)) return false;
  const Role role = declarations_.roleOf(i);
  if (role == Role::Type || role == Role::Pointer || role == Role::Attribute) return false;
  const Token& token = source_[i];
  switch (token.kind) {
    case TokenKind::Identifier:
      return !isOperatorKeyword(token.text);
    case TokenKind::Number:
    case TokenKind::Text:
      return true;
    case TokenKind::Punctuation:
      break;
  }
  if (token.text == "]") {
    const int open = source_.partnerOf(i);
    return declarations_.roleOf(open) == Role::ArrayBracket || endsOperand(open - 1);
  }
  if (token.text == ")") return !controlParenthesis_[static_cast<std::size_t>(i)] && !endsCast(i);
  if (token.text == "}") {
    const int before = source_.partnerOf(i) - 1;  // Pair{1, 2}
    return source_.isIdentifier(before) && declarations_.roleOf(before) == Role::Type &&
           !source_.is(i + 1, ";") && !isSpecifier(source_[before].text);
  }
  return false;
}

bool Expressions::endsCast(int close) const {
  const int open = source_.partnerOf(close);
  if (open < 0 || close == open + 1) return false;
  for (int i = open + 1; i < close; ++i) {
    const Role role = declarations_.roleOf(i);
    const bool templateList = source_.is(i, "<") && source_.opens(i);
    if (templateList) {
      i = source_.partnerOf(i);
    } else if (role != Role::Type && role != Role::Pointer) {
      return false;
    }
  }
  const int before = open - 1;
  if (!source_.has(before)) return true;
  if (stridescope::instrument::isUnevaluated(source_[before].text)) return false;
  if (declarations_.roleOf(before) == Role::Type || source_.closes(before)) {
    return controlParenthesis_[static_cast<std::size_t>(before)];
  }
  return !source_.isIdentifier(before) || isOperatorKeyword(source_[before].text);
}

int Expressions::operandStart(int last) const {
  int i = last;
  while (source_.has(i)) {
    if (source_.is(i, "]")) {
      i = source_.partnerOf(i) - 1;
      continue;
    }
    if (source_.is(i, ")")) {
      const int open = source_.partnerOf(i);
      int before = open - 1;
      if (source_.is(before, ">") && source_.closes(before)) before = source_.partnerOf(before) - 1;
      const bool call = source_.isIdentifier(before) &&
                        (!isOperatorKeyword(source_[before].text) || isNamedCast(source_[before].text));
      if (!call) {
        if (source_.is(before, ")") || source_.is(before, "]")) {  // f(x)(y)
          if (endsOperand(before)) {
            i = before;
            continue;
          }
        }
        return open;
      }
      i = before;
    }
    if (!source_.isIdentifier(i)) return -1;
    if (isOperatorKeyword(source_[i].text) && !isNamedCast(source_[i].text)) return -1;
    if (source_.is(i - 1, ".") || source_.is(i - 1, "->")) {
      i -= 2;
      continue;
    }
    if (!source_.is(i - 1, "::")) return i;
    if (!source_.isIdentifier(i - 2) || isOperatorKeyword(source_[i - 2].text)) return i - 1;
    i -= 2;
  }
  return -1;
}

int Expressions::operandEnd(int first) const {
  int i = first;
  while (true) {
    const bool prefix = source_.is(i, "++") || source_.is(i, "--") || source_.is(i, "&") ||
                        source_.is(i, "+") || source_.is(i, "-") || source_.is(i, "!") ||
                        source_.is(i, "~") || source_.is(i, "::");
    if (prefix) {
      ++i;
    } else if (source_.is(i, "(") && endsCast(source_.partnerOf(i))) {
      i = source_.partnerOf(i) + 1;
    } else {
      break;
    }
  }
  if (source_.is(i, "(")) {
    i = source_.partnerOf(i);
  } else if (!source_.isIdentifier(i) ||
             (isOperatorKeyword(source_[i].text) && !isNamedCast(source_[i].text)) || source_.is(i, "this")) {
    return -1;
  }
  while (true) {
    const int next = i + 1;
    if (source_.is(next, "(") || source_.is(next, "[") || (source_.is(next, "<") && source_.opens(next))) {
      i = source_.partnerOf(next);
    } else if ((source_.is(next, ".") || source_.is(next, "->") || source_.is(next, "::")) &&
               source_.isIdentifier(next + 1)) {
      i = next + 1;
    } else if (source_.is(next, "++") || source_.is(next, "--")) {
      i = next;
    } else {
      return i;
    }
  }
}

int Expressions::endOfFullExpression(int i) const {
  return source_.has(i) ? ends_[static_cast<std::size_t>(i)] : i;
}

// From the last token to the first, so that a text of many assignments is read once.
void Expressions::findEnds() {
  const int size = source_.size();
  ends_.resize(source_.tokens.size());
  const auto endFrom = [&](int i) { return i < size ? ends_[static_cast<std::size_t>(i)] : size; };
  for (int i = size - 1; i >= 0; --i) {
    int& end = ends_[static_cast<std::size_t>(i)];
    if (source_.is(i, ";") || source_.is(i, ",") || source_.is(i, ":") || source_.closes(i)) {
      end = i;
    } else if (source_.opens(i)) {
      end = endFrom(source_.partnerOf(i) + 1);
    } else {
      end = endFrom(i + 1);
      if (source_.is(i, "?") && source_.is(end, ":")) end = endFrom(end + 1);
    }
  }
}

}  // namespace stridescope::instrument
