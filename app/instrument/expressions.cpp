#include "instrument/expressions.h"

#include <algorithm>

#include "instrument/vocabulary.h"

namespace stridescope::instrument {

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
  int questions = 0;
  for (; source_.has(i); ++i) {
    if (source_.is(i, ";") || source_.is(i, ",") || source_.closes(i)) break;
    if (source_.is(i, "?")) ++questions;
    if (source_.is(i, ":") && questions-- == 0) break;
    if (source_.opens(i)) i = source_.partnerOf(i);
  }
  return i;
}

}  // namespace stridescope::instrument
