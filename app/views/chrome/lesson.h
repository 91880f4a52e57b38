// The lesson of a variant: a short text from assets/lessons/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

struct LessonParagraph {
  bool heading = false;
  std::string lead;                      // the words in bold that a paragraph begins with; may be empty
  std::string text;                      // one line, without marks
  std::vector<std::string> panels = {};  // the ids of those that it links to, in its order
};

// Lessons use headings (#), paragraphs, bold leads (**...**), code in backquotes and links to panels,
// [Banks](#banks); nothing else of Markdown.
std::vector<LessonParagraph> parseLesson(std::string_view markdown);

// Of a variant, by its id.
std::vector<LessonParagraph> lessonOf(std::string_view variant);

// Draws the lesson of the variant that is asked for into the current window, `width` pixels wide. Below a
// paragraph stand the panels that it links to: a click shows one.
void drawLesson(ViewContext& view, float width);

}  // namespace stridescope::views
