// The lesson of a variant: a short text from assets/lessons/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/timing_board.h"
#include "views/chrome/marked_text.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct LessonParagraph {
  bool heading = false;
  std::string lead = {};             // the words in bold that a paragraph begins with; may be empty
  std::string text = {};             // one line, without marks
  std::vector<TextMark> marks = {};  // of the text, in its order
};

// Lessons use headings (#), paragraphs, bold leads (**...**), code in backquotes and links; nothing else of
// Markdown. Figures by reference are those of lesson_figures.h.
std::vector<LessonParagraph> parseLesson(std::string_view markdown);

// What a link leads to: [Banks](#banks) to a panel, [Banks](#banks@8) to a panel in the first round of stride
// 8 that the shown run has, @0 in the run's first round, @last in its last; [sequential](#variant/sequential)
// to a variant.
struct LinkTarget {
  std::string panel = {}, variant = {};  // ids; one of the two
  std::optional<std::uint64_t> stride = {};
  bool isLastRound = false;
};
LinkTarget linkTarget(std::string_view target);

// Of a variant, by its id: the file's text, and as it is shown, with its figures and the glossary's words.
std::string_view lessonText(std::string_view variant);
std::vector<LessonParagraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings);

// A lesson kept for the frames that show it.
struct ShownLesson {
  std::string variant = {};
  std::shared_ptr<const measure::TimingSnapshot> timings = {};
  std::vector<LessonParagraph> paragraphs = {};
};

// Draws the lesson of the variant that is asked for into the current window, `width` pixels wide.
void drawLesson(ViewContext& view, ShownLesson& lesson, float width);

}  // namespace stridescope::views
