// The Source panel's text as rows that fit its width: long lines go on in rows of their own. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stridescope::views {

// What must stay on one row where that can be, as an access: 1-based columns of the line.
struct UnbrokenPart {
  int column = 0, length = 0;
};

// A piece of a line: its characters [from, to), drawn from column `indent` on; all 0-based.
struct SourceRow {
  int from = 0, to = 0, indent = 0;

  // Where a character of the line stands on this row.
  int columnOf(int character) const { return indent + character - from; }
};

// The rows of one line in at most `columns` columns each. A line is broken after a comma or a semicolon if
// that leaves the row more than half full, else after a space, else anywhere; inside a part only if there is
// no other way. What goes on is indented by one step more than the line. `halfIndent` draws the line's own
// indentation half as wide. At least one row; trailing spaces are left out.
std::vector<SourceRow> rowsOf(std::string_view line, int columns, const std::vector<UnbrokenPart>& parts,
                              bool halfIndent = false);

}  // namespace stridescope::views
