// The lesson of a variant: a short text from assets/lessons/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "views/chrome/view_context.h"

namespace stridescope::views {

struct LessonParagraph {
  bool heading = false;
  std::string lead;  // the words in bold that a paragraph begins with; may be empty
  std::string text;  // one line, without marks
};

// Lessons use headings (#), paragraphs, bold leads (**...**) and code in backquotes; nothing else of
// Markdown.
std::vector<LessonParagraph> parseLesson(std::string_view markdown);

// Draws the lesson of the variant that is asked for into the current window, `width` pixels wide.
void drawLesson(ViewContext& view, float width);

}  // namespace stridescope::views
