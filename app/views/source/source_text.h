// Where everything of the Source panel's text stands: a row for each line of the preamble and of the kernel,
// never broken, with room under those that carry brackets and labels. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "views/source/source_lines.h"

namespace stridescope::views {

enum class LabelKind : std::uint8_t { Read, Written, Condition };

// A bracket under a part of a line, and the words that stand at it: what was found, left or decided there.
// Where the view ends within the bracket or before it, the words stand at that edge of the view, name what
// they belong to, and point there: "data[index + s]: 35 ›". Pixels from the left edge of the text, however
// far it is scrolled.
struct SourceLabel {
  LabelKind kind = LabelKind::Read;
  std::uint32_t site = 0;
  float from = 0, to = 0;  // the bracket
  std::string words = {};  // empty: the bracket stands alone
  float left = 0, width = 0;
  int row = 0;  // rows of words below the bracket: above 0 where the words before leave no room at it
};

struct SourceTextRow {
  int line = 0;               // index into SourceText::lines
  float top = 0, height = 0;  // pixels from the text's upper edge; the room for labels is part of it
  std::vector<SourceLabel> labels = {};  // in the order of their brackets
  std::string figure = {};  // stands in the margin beside the labels: "8-way", "W0 16/32"; may be empty
  const char* figureMeaning = "";  // as the explanations have it
};

struct SourceTextMeasures {
  float room = 0;    // the width of the view for the text, pixels
  float scroll = 0;  // how far the text is scrolled sideways, pixels: the view is [scroll, scroll + room)
  float end = 0;     // what stays free beyond the longest line, pixels
  float glyph = 1;   // one character's advance, pixels
  float lineHeight = 0, labelHeight = 0, furtherLabelHeight = 0;  // pixels: a line; its first and next rows
                                                                  // of labels
  float between = 0;                                              // pixels between preamble and kernel
  float figureEnd = 0;   // where the margin's figures end, from the text's left edge, pixels: below 0
  float figureLeft = 0;  // the leftmost place where a figure may begin, pixels: below figureEnd
  std::function<float(const std::string& words)> wordsWidth = {};  // conditions' and figures', pixels
};

struct SourceText {
  std::vector<std::string> lines;  // the preamble's, then the kernel's
  int preambleLines = 0;
  std::map<int, SourceLine> executing;            // by the kernel's line number
  std::vector<SourceTextRow> rows;                // one for each line
  float width = 0, height = 0;                    // pixels: the longest line or label, and all rows
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

// Where it is scrolled to sideways so that the brackets of the site are in a view of this width: as it is, if
// they are.
float scrollToSite(const SourceText& text, float room, std::uint32_t site, float scroll);

// Executing lines that are not wholly within [from, to).
struct LinesOutside {
  int above = 0, below = 0;
};
LinesOutside executingOutside(const SourceText& text, float from, float to);

// Requires replay.run().
SourceText layOutSource(const session::Replay& replay, unsigned thread, const SourceTextMeasures& measures);

// Gives the labels of one line, whose brackets are known, their places: in the middle under what the view
// [view, limit) has of their brackets, or as far to the side as the words before need, but always beginning
// before the bracket ends; where that cannot be, in a further row. Words begin at `start` or later, those of
// further rows at `view` or later, and none ends beyond `limit`: wider ones get the width that is left.
// Pixels.
void placeLabels(std::vector<SourceLabel>& labels, float start, float limit, float gap, float view = 0);

// The lines from `first` to `last`, in either order, each with its newline.
std::string copiedLines(const SourceText& text, int first, int last);

}  // namespace stridescope::views
