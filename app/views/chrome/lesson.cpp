#include "views/chrome/lesson.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "views/shared/panel.h"

namespace stridescope::views {

std::string_view embeddedLesson(std::string_view fileName);  // generated from assets/lessons/

namespace {

std::string withoutBackquotes(std::string text) {
  std::erase(text, '`');
  return text;
}

// Takes the links out of the text: "[Banks](#banks)" becomes "Banks".
std::vector<std::string> takeLinks(std::string& text) {
  static constexpr std::string_view kMiddle = "](#";
  std::vector<std::string> panels;
  for (std::size_t from = 0;;) {
    const std::size_t middle = text.find(kMiddle, from);
    const std::size_t open = middle == text.npos ? text.npos : text.rfind('[', middle);
    const std::size_t close = middle == text.npos ? text.npos : text.find(')', middle);
    if (open == text.npos || close == text.npos) return panels;
    const std::string panel = text.substr(middle + kMiddle.size(), close - middle - kMiddle.size());
    if (std::ranges::find(panels, panel) == panels.end()) panels.push_back(panel);
    text.erase(middle, close + 1 - middle);
    text.erase(open, 1);
    from = middle - 1;
  }
}

LessonParagraph paragraphOf(std::string joined) {
  const std::vector<std::string> panels = takeLinks(joined);
  constexpr std::string_view bold = "**";
  if (!joined.starts_with(bold))
    return {.heading = false, .lead = {}, .text = withoutBackquotes(joined), .panels = panels};
  const auto end = joined.find(bold, bold.size());
  if (end == std::string::npos)
    return {.heading = false, .lead = {}, .text = withoutBackquotes(joined), .panels = panels};
  const auto rest = joined.find_first_not_of(' ', end + bold.size());
  return {.heading = false,
          .lead = joined.substr(bold.size(), end - bold.size()),
          .text = rest == std::string::npos ? std::string() : withoutBackquotes(joined.substr(rest)),
          .panels = panels};
}

// The panels in a row, each a link. Gives the y below them.
float drawLinks(ViewContext& view, ImVec2 at, float line, const LessonParagraph& paragraph) {
  const draw::TextStyle style = draw::wordsStyle(view.draw, draw::kBodySize, view.colours().operand);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  bool any = false;
  for (const std::string& id : paragraph.panels) {
    const Panel* const panel = findPanel(view.panels, id);
    if (panel == nullptr) continue;
    const ImVec2 max{at.x + std::ceil(draw::textSize(style, panel->title).x) + 1, at.y + line};
    if (hitArea((paragraph.lead + " " + panel->title).c_str(), at, max).clicked)
      view.commands.push_back(session::ShowPanel{panel->id});
    draw::drawText(view.draw, list, at, max, panel->title, style);
    list.AddRectFilled({at.x, max.y - view.px(2)}, {max.x - 1, max.y - view.px(1)}, style.colour);
    at.x = max.x + view.px(16);
    any = true;
  }
  return any ? at.y + line : at.y;
}

}  // namespace

std::vector<LessonParagraph> lessonOf(std::string_view variant) {
  return parseLesson(embeddedLesson(std::string(variant) + ".md"));
}

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
  for (const LessonParagraph& paragraph : lessonOf(view.workspace.experiment().variant)) {
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
      y = drawLinks(view, {origin.x, y}, line, paragraph);
    }
    y += view.px(10);
  }
  ImGui::SetCursorScreenPos(origin);  // a link set another
  ImGui::Dummy({width, y - origin.y});
}

}  // namespace stridescope::views
