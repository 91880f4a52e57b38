// The texts that are read beside the panels: lessons, tours and the glossary, in a little Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "views/chrome/marked_text.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct Paragraph {
  bool heading = false, listed = false;  // `listed`: part of a list, with a dot before it
  std::string lead = {};                 // the words in bold that a paragraph begins with; may be empty
  std::string text = {};                 // one line, without marks
  std::vector<TextMark> marks = {};      // the text's, in its order
};

// Headings (#), paragraphs, lists (-), bold leads (**...**), code in backquotes and links to what the window
// does (session/link.h); nothing else of Markdown.
std::vector<Paragraph> parseParagraphs(std::string_view markdown);

// Marks each word of the glossary, and underlines it where the text has it first.
void markGlossaryWords(std::vector<Paragraph>& paragraphs);

// A link that leads nowhere, or to a mode that the window does not have, is a text like any other.
void dropDeadLinks(std::vector<Paragraph>& paragraphs, std::span<const Panel> panels);

// Draws them into the current window from its cursor on, `width` pixels wide; a click follows a link or opens
// the glossary.
void drawParagraphs(ViewContext& view, const std::vector<Paragraph>& paragraphs, float width);

}  // namespace stridescope::views
