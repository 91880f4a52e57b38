#include "text_piece.h"

#include <optional>
#include <utility>

#include "kernel_tokens.h"

namespace stridescope::engine::access {
namespace {

std::string_view lineOf(std::string_view text, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos) return {};
    begin = end + 1;
  }
  return text.substr(begin, text.find('\n', begin) - begin);
}

// The index of the bracket that the one at `at` closes; npos: it is not on the line.
std::size_t openingOf(std::string_view line, std::size_t at) {
  const char close = line[at], open = close == ']' ? '[' : close == ')' ? '(' : '<';
  int depth = 0;
  for (std::size_t i = at + 1; i-- > 0;) {
    if (line[i] == close) ++depth;
    if (line[i] == open && --depth == 0) return i;
  }
  return std::string_view::npos;
}

bool isArrow(std::string_view line, std::size_t at) { return line.substr(at, 2) == "->"; }

// Where the operand that ends before `end` begins: "a.b[i].c", "p->x", "reinterpret_cast<int*>(s)[i]".
std::size_t beginOfOperand(std::string_view line, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0) {
    const char last = line[begin - 1];
    const bool isBeforeName = begin < end && isWordCharacter(line[begin]);
    if (isWordCharacter(last) || last == '.') {
      --begin;
    } else if (begin > 1 && isArrow(line, begin - 2)) {
      begin -= 2;
    } else if (last == ']' || (last == ')' && !isBeforeName)) {  // not that of "if (x)a[i]"
      const std::size_t opening = openingOf(line, begin - 1);
      if (opening == std::string_view::npos) break;
      begin = opening;
    } else if (last == '>' && begin < end && line[begin] == '(') {
      const std::size_t opening = openingOf(line, begin - 1);
      if (opening == std::string_view::npos || !line.substr(0, opening).ends_with("_cast")) break;
      begin = opening;
    } else {
      break;
    }
  }
  return begin;
}

// Where the operand ends that begins there.
std::size_t endOfOperand(std::string_view line, std::size_t begin) {
  std::size_t end = begin;
  while (end < line.size() && line[end] == '*') ++end;
  while (end < line.size()) {
    if (isWordCharacter(line[end]) || line[end] == '.') {
      ++end;
    } else if (isArrow(line, end)) {
      end += 2;
    } else if (line[end] == '[' || line[end] == '(' ||
               (line[end] == '<' && line.substr(0, end).ends_with("_cast"))) {
      const char open = line[end], close = open == '[' ? ']' : open == '(' ? ')' : '>';
      int depth = 0;
      std::size_t at = end;
      for (; at < line.size(); ++at) {
        if (line[at] == open) ++depth;
        if (line[at] == close && --depth == 0) break;
      }
      if (at == line.size()) break;
      end = at + 1;
    } else {
      break;
    }
  }
  return end;
}

// The length of the assignment's operator there: 1 of "=", 2 of "+=", 3 of "<<="; 0: there is none.
std::size_t assignmentAt(std::string_view line, std::size_t at) {
  for (const std::string_view each : {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
    if (line.substr(at).starts_with(each)) return each.size();
  return line[at] == '=' && line.substr(at, 2) != "==" ? 1 : 0;
}

// Where the operand before the operator at `at` begins, with the stars before it: "*p" of "*p = 1".
std::size_t beginOfLeft(std::string_view line, std::size_t at) {
  while (at > 0 && line[at - 1] == ' ') --at;
  std::size_t begin = beginOfOperand(line, at);
  while (begin < at && begin > 0 && line[begin - 1] == '*') --begin;
  return begin;
}

// Where the access begins that a compiler has at `at`. A column points at the access's first character, at
// its dot or at a bracket; g++ has a load at the bracket that ends it and a store at the operator.
std::size_t beginOfAccess(std::string_view line, std::size_t at) {
  if (line[at] == '[' || line[at] == '.' || isArrow(line, at)) return beginOfOperand(line, at);
  if (line[at] == ']') return beginOfOperand(line, at + 1);
  if (assignmentAt(line, at) > 0) return beginOfLeft(line, at);
  if (line.substr(at, 2) == "++" || line.substr(at, 2) == "--") {
    const std::size_t left = beginOfLeft(line, at);
    return left < at && line[left] != ' ' ? left : at + 2;
  }
  const bool isMember = at > 0 && (line[at - 1] == '.' || (at > 1 && isArrow(line, at - 2)));
  return isMember ? beginOfOperand(line, at) : at;
}

// The quotient or remainder whose sign is at `at`, with both operands, as from its begin to behind its end.
// Nothing: there is no such sign, or an operand is on another line.
std::optional<std::pair<std::size_t, std::size_t>> quotientAt(std::string_view line, std::size_t at) {
  const bool isSign = (line[at] == '/' || line[at] == '%') && at + 1 < line.size();
  if (!isSign || std::string_view("/*=").find(line[at + 1]) != std::string_view::npos) return std::nullopt;
  const std::size_t begin = beginOfLeft(line, at);
  const std::size_t right = line.find_first_not_of(" -+", at + 1);
  const std::size_t end = right == std::string_view::npos ? at : endOfOperand(line, right);
  if (begin >= at || line[begin] == ' ' || end <= right || end <= at) return std::nullopt;
  return std::pair(begin, end);
}

}  // namespace

TextPiece pieceAt(std::string_view text, int line, int column) {
  const std::string_view whole = lineOf(text, line);
  std::size_t first = whole.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  std::string_view statement = whole.substr(first);
  while (!statement.empty() && (statement.back() == ' ' || statement.back() == '\r'))
    statement.remove_suffix(1);
  const TextPiece wholeLine{int(first) + 1, int(statement.size()), std::string(statement)};
  if (column < 1) return wholeLine;
  std::size_t begin = std::size_t(column) - 1;
  if (begin >= whole.size()) begin = first;
  if (const auto quotient = quotientAt(whole, begin))
    return {int(quotient->first) + 1, int(quotient->second - quotient->first),
            std::string(whole.substr(quotient->first, quotient->second - quotient->first))};
  const std::size_t from = beginOfAccess(whole, begin);
  if (from >= whole.size()) return wholeLine;
  // A bracket that begins what is there is one only if it was gone back to.
  const bool isOne =
      isWordCharacter(whole[from]) || whole[from] == '*' || (whole[from] == '(' && from < begin);
  const std::size_t end = isOne ? endOfOperand(whole, from) : from;
  if (end > from) return {int(from) + 1, int(end - from), std::string(whole.substr(from, end - from))};
  return wholeLine;
}

}  // namespace stridescope::engine::access
