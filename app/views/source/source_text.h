// Where everything of the Source panel's text stands: the preamble's and the kernel's lines as rows, with
// room under those that carry brackets and values. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "views/source/source_lines.h"
#include "views/source/source_rows.h"

namespace stridescope::views {

struct SourceTextRow {
  int line = 0;  // index into SourceText::lines
  SourceRow part;
  float top = 0, height = 0;  // pixels from the text's upper edge; the room for annotations is part of it
  bool first = false;         // of its line
  bool annotated = false;
  bool carriesWay = false;  // the first annotated row of its line
};

struct SourceTextMeasures {
  int columns = 80;                                         // that fit
  float lineHeight = 0, annotationHeight = 0, between = 0;  // pixels; between preamble and kernel
};

struct SourceText {
  std::vector<std::string> lines;  // the preamble's, then the kernel's
  int preambleLines = 0;
  std::map<int, SourceLine> executing;  // by the kernel's line number
  std::vector<SourceTextRow> rows;
  float height = 0;
  float executingTop = -1, executingBottom = -1;  // -1: nothing of the kernel executes

  int numberOf(int line) const { return line - preambleLines + 1; }  // the kernel's; below 1: preamble
  const SourceLine* executingAt(int line) const;                     // nullptr: it does not
  int lineAt(float y) const;                                         // the nearest
};

// Where the text is scrolled to so that as many executing lines as can be are in a view of this height, and
// in its middle: always to the beginning of a line. Pixels.
float scrollToExecuting(const SourceText& text, float room);

// Where it is scrolled to so that the kernel's line of this number is in the view, too: there, if it is, else
// to the line in the view's middle.
float scrollToLine(const SourceText& text, float room, int number, float scroll);

// How far the text can be scrolled in a view of this height, so that the top of a row is there even at the
// end.
float greatestScroll(const SourceText& text, float room);

// Executing lines that are not wholly within [from, to).
struct LinesOutside {
  int above = 0, below = 0;
};
LinesOutside executingOutside(const SourceText& text, float from, float to);

// Requires replay.run().
SourceText layOutSource(const session::Replay& replay, unsigned thread, const SourceTextMeasures& measures);

// Whether something [column, column + length) of the line, 1-based, lies on the row at all.
bool liesOn(const SourceRow& row, int column, int length);

// The lines from `first` to `last`, in either order, each with its newline.
std::string copiedLines(const SourceText& text, int first, int last);

}  // namespace stridescope::views
