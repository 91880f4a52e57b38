#include "views/chrome/lesson.h"

#include "views/chrome/form_text.h"
#include "views/chrome/lesson_figures.h"

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

std::string_view lessonText(std::string_view variant) { return embeddedLesson(std::string(variant) + ".md"); }

namespace {

// Figures stand for text: what a recording calls its device has no marks of Markdown.
std::vector<Paragraph> withItsWords(std::vector<markdown::Block> blocks,
                                    const measure::TimingSnapshot& timings) {
  for (markdown::Block& block : blocks)
    for (markdown::Piece& piece : block.pieces) piece.text = withFigures(piece.text, timings);
  std::vector<Paragraph> paragraphs = paragraphsOf(blocks);
  markGlossaryWords(paragraphs);
  return paragraphs;
}

// A lesson is of the program's own, and can be read.
std::vector<markdown::Block> blocksOf(std::string_view variant) {
  return markdown::read(lessonText(variant)).value_or(std::vector<markdown::Block>());
}

}  // namespace

std::vector<Paragraph> lessonOf(std::string_view variant, const measure::TimingSnapshot& timings) {
  return withItsWords(blocksOf(variant), timings);
}

std::vector<Paragraph> shownParagraphs(const ViewContext& view, std::vector<markdown::Block> blocks) {
  const auto& timings = view.times.picture.snapshot;
  std::vector<Paragraph> paragraphs =
      withItsWords(std::move(blocks), timings ? *timings : measure::TimingSnapshot{});
  dropDeadLinks(paragraphs, view.panels);
  return paragraphs;
}

void drawLesson(ViewContext& view, ShownLesson& lesson, float width) {
  const std::string& variant = view.workspace.experiment().variant;
  const auto& timings = view.times.picture.snapshot;
  if (lesson.variant != variant || lesson.timings != timings)
    lesson = {variant, timings, shownParagraphs(view, blocksOf(variant)),
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
