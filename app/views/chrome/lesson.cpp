#include "views/chrome/lesson.h"

#include "views/chrome/form_text.h"
#include "views/chrome/lesson_figures.h"

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

std::string_view lessonText(std::string_view variant) { return embeddedLesson(std::string(variant) + ".md"); }

namespace {

std::vector<Paragraph> withItsWords(std::string_view markdown, const measure::TimingSnapshot& timings) {
  std::vector<Paragraph> paragraphs = parseParagraphs(withFigures(markdown, timings));
  markGlossaryWords(paragraphs);
  return paragraphs;
}

}  // namespace

std::vector<Paragraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings) {
  return withItsWords(lessonText(variant), timings);
}

std::vector<Paragraph> shownParagraphs(const ViewContext& view, std::string_view markdown) {
  const auto& timings = view.times.picture.snapshot;
  std::vector<Paragraph> paragraphs = withItsWords(markdown, timings ? *timings : measure::TimingSnapshot{});
  dropDeadLinks(paragraphs, view.panels);
  return paragraphs;
}

void drawLesson(ViewContext& view, ShownLesson& lesson, float width) {
  const std::string& variant = view.workspace.experiment().variant;
  const auto& timings = view.times.picture.snapshot;
  if (lesson.variant != variant || lesson.timings != timings)
    lesson = {variant, timings, shownParagraphs(view, lessonText(variant)),
              lesson.unfolded && lesson.variant == variant};
  if (view.predict.isHidden() && !lesson.unfolded) {
    sentence(view, width, "The lesson may tell what is asked. It is folded until the round is revealed.",
             view.colours().text);
    lesson.unfolded = ImGui::Button("Read it all the same");
    return;
  }
  drawParagraphs(view, lesson.paragraphs, width);
}

}  // namespace stridescope::views
