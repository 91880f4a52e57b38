#include "views/chrome/lesson.h"

#include "views/chrome/lesson_figures.h"

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

std::string_view lessonText(std::string_view variant) { return embeddedLesson(std::string(variant) + ".md"); }

std::vector<Paragraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings) {
  std::vector<Paragraph> paragraphs = parseParagraphs(withFigures(lessonText(variant), timings));
  markGlossaryWords(paragraphs);
  return paragraphs;
}

void drawLesson(ViewContext& view, ShownLesson& lesson, float width) {
  const std::string& variant = view.workspace.experiment().variant;
  const auto& timings = view.times.picture.snapshot;
  if (lesson.variant != variant || lesson.timings != timings) {
    lesson = {variant, timings, lessonOf(variant, timings ? *timings : measure::TimingSnapshot{})};
    dropDeadLinks(lesson.paragraphs, view.panels);
  }
  drawParagraphs(view, lesson.paragraphs, width);
}

}  // namespace stridescope::views
