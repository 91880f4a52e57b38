// The texts that are read beside the panels: lessons, tours and the glossary.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/text.h"
#include "markdown/read.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Text in which some pieces answer to the pointer: the links of a lesson, words of the glossary.

struct TextMark {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string target = {};         // a link has what stands behind its #, a word its term
  bool isLink = false;             // else a word of the glossary
  bool underlined = true;          // else only while the pointer is on it
  friend bool operator==(const TextMark&, const TextMark&) = default;
};

// Where drawWrapped puts a marked piece; two for a piece that is broken over two lines.
struct MarkedPlace {
  const TextMark* mark = nullptr;  // one of those given
  ImVec2 min, max;
};
std::vector<MarkedPlace> placesOf(std::span<const TextMark> marks, std::string_view text,
                                  const draw::TextStyle& style, ImVec2 topLeft, float widthPx,
                                  float lineHeightPx);

// The line under the piece, and for a word of the glossary under the pointer what it means. True when the
// piece was clicked. A link's label names it for keyboard focus and for tests.
bool drawMark(ViewContext& view, ImDrawList& list, const MarkedPlace& place, const std::string& label = {});

struct Paragraph {
  bool heading = false, code = false;
  bool listed = false;                  // it begins an item of a list: with a dot before it,
  std::optional<unsigned> number = {};  // or with this number
  unsigned depth = 0;                   // how far it is indented, in steps
  std::string lead = {};                // the words in bold that a paragraph begins with; may be empty
  std::string text = {};             // without marks; several lines only of code, or if it breaks them itself
  std::vector<TextMark> marks = {};  // the text's, in its order
};

// A link to what the window does (session/link.h) becomes a mark; of another one the address stands in
// brackets. Emphasis, code, and bold words within a text stand as the rest does.
std::vector<Paragraph> paragraphsOf(std::span<const markdown::Block> blocks);

// The paragraphs of a text of the program's own, which can be read; a text that cannot be read has none.
std::vector<Paragraph> parseParagraphs(std::string_view markdown);

// Marks each word of the glossary, and underlines it where the text has it first.
void markGlossaryWords(std::vector<Paragraph>& paragraphs);

// A link that leads nowhere, or to a mode that the window does not have, is a text like any other.
void dropDeadLinks(std::vector<Paragraph>& paragraphs, std::span<const Panel> panels);

// Draws them into the current window from its cursor on, `width` pixels wide; a click follows a link or opens
// the glossary.
void drawParagraphs(ViewContext& view, const std::vector<Paragraph>& paragraphs, float width);

}  // namespace stridescope::views
