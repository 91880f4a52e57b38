#include "views/source/source_rows.h"

#include <algorithm>

namespace stridescope::views {
namespace {

constexpr int kIndentStep = 4, kMinColumns = 8;

int indentOf(std::string_view line) {
  const auto first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? 0 : int(first);
}

bool isInside(const std::vector<UnbrokenPart>& parts, int character) {
  return std::ranges::any_of(parts, [&](const UnbrokenPart& part) {
    return character >= part.column - 1 && character < part.column - 1 + part.length;
  });
}

enum class BreakAfter { Punctuation, Space };

bool mayBreak(std::string_view line, int at, BreakAfter after) {
  if (line[std::size_t(at) - 1] != ' ') return false;
  if (after == BreakAfter::Space) return true;
  return at > 1 && (line[std::size_t(at) - 2] == ',' || line[std::size_t(at) - 2] == ';');
}

// The character that the next row begins with: after `from`, at most `most` of them on this row.
int breakOf(std::string_view line, int from, int most, const std::vector<UnbrokenPart>& parts) {
  const int text = int(line.find_first_not_of(' ', std::size_t(from)));
  for (const bool mindParts : {true, false})
    for (const BreakAfter after : {BreakAfter::Punctuation, BreakAfter::Space}) {
      const int least = after == BreakAfter::Punctuation ? std::max(text, from + most / 2) : text;
      // A space that would not fit is a break too: it is not drawn.
      for (int at = std::min(from + most + 1, int(line.size())); at > least + 1; --at)
        if (mayBreak(line, at, after) && !(mindParts && isInside(parts, at - 1))) return at;
    }
  return from + most;
}

}  // namespace

std::vector<SourceRow> rowsOf(std::string_view line, int columns, const std::vector<UnbrokenPart>& parts,
                              bool halfIndent) {
  columns = std::max(columns, kMinColumns);
  const auto last = line.find_last_not_of(' ');
  const int length = last == std::string_view::npos ? 0 : int(last) + 1;
  const int own = length == 0 ? 0 : indentOf(line);
  int from = halfIndent ? own : 0, indent = halfIndent ? own / 2 : 0;
  // A continuation keeps at least half of the width.
  const int further = std::min((halfIndent ? own / 2 : own) + kIndentStep, columns / 2);
  std::vector<SourceRow> rows;
  while (length - from > columns - indent) {
    int next = breakOf(line, from, columns - indent, parts);
    int to = next;
    while (to > from && line[std::size_t(to) - 1] == ' ') --to;
    while (next < length && line[std::size_t(next)] == ' ') ++next;
    rows.push_back({from, to, indent});
    from = next;
    indent = further;
  }
  rows.push_back({from, length, indent});
  return rows;
}

}  // namespace stridescope::views
