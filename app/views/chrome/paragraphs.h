// The texts that are read beside the panels: lessons, tours and the glossary.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markdown/read.h"
#include "views/chrome/marked_text.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

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
