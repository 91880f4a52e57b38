#include "views/reading/spoken_reading.h"

#include "kernels/catalog.h"
#include "views/reading/lesson.h"
#include "views/reading/paragraphs.h"
#include "views/reading/tour_view.h"

namespace stridescope::views {
namespace {

SpokenParagraph spokenParagraph(const Paragraph& paragraph) {
  SpokenParagraph spoken{.isHeading = paragraph.heading, .isCode = paragraph.code};
  const auto add = [&](std::string text, const std::string& target = {}) {
    if (!text.empty()) spoken.pieces.push_back({std::move(text), target});
  };
  if (paragraph.number) add(std::to_string(*paragraph.number) + ". ");
  if (!paragraph.lead.empty()) add(paragraph.lead + " ");
  std::size_t at = 0;
  for (const TextMark& mark : paragraph.marks) {
    if (!mark.isLink) continue;
    add(paragraph.text.substr(at, mark.begin - at));
    add(paragraph.text.substr(mark.begin, mark.end - mark.begin), mark.target);
    at = mark.end;
  }
  add(paragraph.text.substr(at));
  return spoken;
}

}  // namespace

SpokenReading spokenReading(const session::Parts& parts, const measure::TimingSnapshot& timings,
                            std::span<const Panel> panels) {
  SpokenReading reading;
  std::vector<Paragraph> paragraphs;
  const session::Overlay text = parts.app.seenText();
  if (text == session::Overlay::Lesson) {
    reading.title = "Lesson: " + kernels::titleOf(parts.workspace.experiment());
    if (parts.predict.isHidden())
      paragraphs.push_back({.text = std::string(kLessonWaits)});
    else
      paragraphs = shownParagraphs(timings, panels, lessonBlocks(parts.workspace.experiment().variant));
  } else if (text == session::Overlay::Tour && parts.app.tour()) {
    const session::Tour& tour = *parts.app.tour();
    const std::size_t stop = parts.app.tourStop();
    reading.title = progressOf(tour, stop) + ": " + tour.stops[stop].title;
    paragraphs = shownParagraphs(timings, panels, textOfStop(tour, stop));
  }
  for (const Paragraph& paragraph : paragraphs) reading.paragraphs.push_back(spokenParagraph(paragraph));
  return reading;
}

}  // namespace stridescope::views
