#include "text_edits.h"

#include <algorithm>

namespace stridescope::engine::access {

std::string TextEdits::applyTo(std::string_view text) {
  std::ranges::stable_sort(edits_, {}, &Edit::begin);
  std::string changed;
  std::size_t at = 0, lineStart = 0, lineStartBefore = 0;  // in the changed text, and in the one before
  int line = 1;
  const auto copyTo = [&](std::size_t end) {
    for (; at < end; ++at) {
      changed += text[at];
      if (text[at] != '\n') continue;
      ++line;
      lineStart = changed.size();
      lineStartBefore = at + 1;
    }
  };
  for (Edit& edit : edits_) {
    copyTo(edit.begin);
    const auto lines =
        std::count(text.begin() + std::ptrdiff_t(edit.begin), text.begin() + std::ptrdiff_t(edit.end), '\n');
    edit.place = {.line = line,
                  .column = int(changed.size() - lineStart) + 1,
                  .length = int(edit.text.size()),
                  .columnBefore = int(edit.begin - lineStartBefore) + 1,
                  .lengthBefore = lines > 0 ? 0 : int(edit.end - edit.begin)};
    changed += edit.text;
    changed.append(std::size_t(lines), '\n');
    at = edit.end;
    if (lines == 0) continue;
    line += int(lines);
    lineStart = changed.size();
    lineStartBefore = text.rfind('\n', edit.end - 1) + 1;
    // What follows on the piece's last line begins at column 1 now.
    Place rest{.line = line, .column = 1, .length = 0, .columnBefore = 1, .lengthBefore = 0};
    rest.lengthBefore = int(edit.end - lineStartBefore);
    edit.restPlace = rest;
  }
  copyTo(text.size());
  return changed;
}

int TextEdits::columnBefore(int line, int column) const { return columnBefore(line, column, false); }
int TextEdits::lastColumnBefore(int line, int column) const { return columnBefore(line, column, true); }

int TextEdits::columnBefore(int line, int column, bool isLast) const {
  int before = column;
  const auto look = [&](const Place& place) {
    if (place.line != line || column < place.column) return;
    const int past = column - (place.column + place.length);
    const int end = place.columnBefore + place.lengthBefore;
    before = past >= 0 ? end + past : isLast ? std::max(place.columnBefore, end - 1) : place.columnBefore;
  };
  for (const Edit& edit : edits_) {
    look(edit.place);
    look(edit.restPlace);
  }
  return before;
}

}  // namespace stridescope::engine::access
