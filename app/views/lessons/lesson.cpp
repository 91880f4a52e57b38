#include "views/lessons/lesson.h"

#include <sstream>

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

namespace {

std::string withoutBackquotes(std::string text) {
  std::erase(text, '`');
  return text;
}

LessonParagraph paragraphOf(const std::string& joined) {
  constexpr std::string_view bold = "**";
  if (!joined.starts_with(bold)) return {.heading = false, .lead = {}, .text = withoutBackquotes(joined)};
  const auto end = joined.find(bold, bold.size());
  if (end == std::string::npos) return {.heading = false, .lead = {}, .text = withoutBackquotes(joined)};
  const auto rest = joined.find_first_not_of(' ', end + bold.size());
  return {.heading = false,
          .lead = joined.substr(bold.size(), end - bold.size()),
          .text = rest == std::string::npos ? std::string() : withoutBackquotes(joined.substr(rest))};
}

}  // namespace

std::vector<LessonParagraph> parseLesson(std::string_view markdown) {
  std::vector<LessonParagraph> paragraphs;
  std::string joined;
  const auto flush = [&] {
    if (!joined.empty()) paragraphs.push_back(paragraphOf(joined));
    joined.clear();
  };
  std::istringstream lines{std::string(markdown)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      flush();
      paragraphs.push_back({.heading = true, .lead = {}, .text = line.substr(2)});
    } else if (line.empty()) {
      flush();
    } else {
      joined += (joined.empty() ? "" : " ") + line;
    }
  }
  flush();
  return paragraphs;
}

void drawLesson(ViewContext& view, float width) {
  const draw::Palette& colours = view.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  float y = origin.y;
  const float line = view.px(20);
  for (const LessonParagraph& paragraph :
       parseLesson(embeddedLesson(view.workspace.experiment().variant + ".md"))) {
    if (paragraph.heading) {
      y = draw::drawWrapped(view.draw, list, {origin.x, y}, width, view.px(28), paragraph.text,
                            draw::semiBoldStyle(view.draw, draw::kCaptionSize, colours.text))
              .max.y;
    } else {
      if (!paragraph.lead.empty())
        y = draw::drawWrapped(view.draw, list, {origin.x, y}, width, line, paragraph.lead,
                              draw::semiBoldStyle(view.draw, draw::kBodySize, colours.text))
                .max.y;
      y = draw::drawWrapped(view.draw, list, {origin.x, y}, width, line, paragraph.text,
                            draw::wordsStyle(view.draw, draw::kBodySize, colours.text))
              .max.y;
    }
    y += view.px(10);
  }
  ImGui::Dummy({width, y - origin.y});
}

}  // namespace stridescope::views
