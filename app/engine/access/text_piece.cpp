#include "text_piece.h"

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
  const auto isPart = [&](std::size_t at) { return at < whole.size() && isWordCharacter(whole[at]); };
  // A column may point at the bracket or the dot of an access.
  std::size_t from = begin;
  if (whole[from] == '[' || whole[from] == '.') {
    int depth = 0;
    while (from > 0) {
      const char before = whole[from - 1];
      if (before == ']') ++depth;
      if (before == '[') --depth;
      if (depth == 0 && !isWordCharacter(before) && before != ']' && before != '[' && before != '.') break;
      --from;
    }
  }
  std::size_t end = from;
  if (isPart(end) || whole[end] == '*') {
    while (end < whole.size() && whole[end] == '*') ++end;
    bool goesOn = true;
    while (goesOn) {
      goesOn = false;
      while (isPart(end)) ++end, goesOn = true;
      if (end < whole.size() && whole[end] == '.') ++end, goesOn = true;
      if (end < whole.size() && (whole[end] == '[' || whole[end] == '(')) {
        const char open = whole[end], close = open == '[' ? ']' : ')';
        int depth = 0;
        std::size_t at = end;
        for (; at < whole.size(); ++at) {
          if (whole[at] == open) ++depth;
          if (whole[at] == close && --depth == 0) break;
        }
        if (at == whole.size()) break;
        end = at + 1;
        goesOn = true;
      }
    }
  }
  if (end > from) return {int(from) + 1, int(end - from), std::string(whole.substr(from, end - from))};
  return wholeLine;
}

}  // namespace stridescope::engine::access
