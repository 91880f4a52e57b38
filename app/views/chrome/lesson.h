// The lesson of a variant: a short text from assets/lessons/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timing_board.h"
#include "views/chrome/paragraphs.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The lesson of the variant with this id: the file's text, and the lesson as it is shown, with its figures
// (lesson_figures.h) and the glossary's words.
std::string_view lessonText(std::string_view variant);
std::vector<Paragraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings);

// A text of a lesson or a tour as it is shown beside the panels: the same, and links that lead somewhere.
std::vector<Paragraph> shownParagraphs(const ViewContext& view, std::vector<markdown::Block> blocks);

// A lesson kept for the frames that show it.
struct ShownLesson {
  std::string variant = {};
  std::shared_ptr<const measure::TimingSnapshot> timings = {};
  std::vector<Paragraph> paragraphs = {};
  bool unfolded = false;  // though a round is to be predicted
};

// Draws the lesson of the variant that is asked for into the current window, `width` pixels wide.
void drawLesson(ViewContext& view, ShownLesson& lesson, float width);

}  // namespace stridescope::views
