#include "views/measure/timings_legend.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

constexpr float kLine = 17, kMarkRoom = 16, kValueGap = 6, kMarkRadius = 5;  // units
constexpr std::string_view kWidestTime = "888.8 µs", kWidestRate = "8888 GB/s";
constexpr float kHiddenAlpha = 0.6f;
constexpr float kMaxShare = 0.5f;  // a share of the panel, for names rather than numbers

float valueWidth(const ViewContext& view, LegendUnit unit) {
  const std::string_view widest = unit == LegendUnit::Rate ? kWidestRate : kWidestTime;
  return std::ceil(draw::textSize(draw::codeStyle(view.draw, draw::kLabelSize, 0), widest).x);
}

float widthFor(const ViewContext& view, NameLength names, LegendUnit unit) {
  const draw::TextStyle style = draw::semiBoldStyle(view.draw, draw::kLabelSize, 0);
  float widest = 0;
  for (const TimingLine& line : view.times.picture.lines)
    widest = std::max(widest, draw::textSize(style, nameOf(line, names)).x);
  return std::ceil(widest) + view.px(kMarkRoom + kValueGap) + valueWidth(view, unit) + 1;
}

struct LegendPainter {
  ViewContext& view;
  TimingsState& state;
  LegendRoom room;
  std::string pointedAt;

  void entry(const LegendEntry& entry, float left, float top) {
    const TimingLine& line = *entry.line;
    const draw::Palette& colours = view.colours();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 min{left, top}, max{left + room.width, top + view.px(kLine)};
    const HitArea area = hitArea(("label " + line.key).c_str(), min, max);
    const bool hidden = isHidden(view.times.picture, state, state.tab, line);
    if (area.hovered && !hidden) pointedAt = line.key;
    if (area.hovered) tooltip(line, hidden);
    if (area.clicked && !state.toggled.erase(toggleKey(state.tab, line)))
      state.toggled.insert(toggleKey(state.tab, line));
    const LineLook look = lookOf(view, state, line);
    const bool strong = look.selected && !hidden;
    if (area.hovered) list.AddRectFilled({min.x - view.px(2), min.y}, max, colours.field, view.px(3));
    draw::drawPlotMark(view.draw, list, {left + view.px(6), (min.y + max.y) / 2}, view.px(kMarkRadius),
                       look.mark, hidden ? colours.toCome : look.colour, look.filled && !hidden);
    float x = left + view.px(kMarkRoom);
    const draw::TextStyle figures = strong ? draw::codeBoldStyle(view.draw, draw::kLabelSize, colours.text)
                                           : draw::codeStyle(view.draw, draw::kLabelSize, colours.text);
    draw::drawText(
        view.draw, list, {x, min.y}, {x + room.valueWidth + 1, max.y}, hidden ? "hidden" : entry.value,
        hidden ? draw::wordsStyle(view.draw, draw::kLabelSize, draw::withAlpha(colours.dim, kHiddenAlpha))
               : figures,
        draw::TextAlign::Right);
    x += room.valueWidth + view.px(kValueGap);
    const ImU32 plain = hidden ? draw::withAlpha(colours.dim, kHiddenAlpha) : colours.dim;
    const draw::TextStyle words = strong ? draw::semiBoldStyle(view.draw, draw::kLabelSize, colours.text)
                                         : draw::wordsStyle(view.draw, draw::kLabelSize, plain);
    draw::drawText(view.draw, list, {x, min.y}, {max.x + 1, max.y}, nameOf(line, room.names), words);
  }

  void tooltip(const TimingLine& line, bool hidden) const {
    std::string text = nameOf(line) + "\n" + originOf(line);
    if (const std::string more = whatElseIsTimed(line.series->subject); !more.empty()) text += "\n" + more;
    wideTooltip(view, text + (hidden ? "\nA click shows the line." : "\nA click hides the line."));
  }
};

void drawBesideEnds(LegendPainter& painter, const std::vector<LegendEntry>& entries, ImVec2 min, ImVec2 max) {
  const float line = painter.view.px(kLine);
  std::vector<float> middles;
  for (const LegendEntry& entry : entries) middles.push_back(std::clamp(entry.height, min.y, max.y));
  const std::vector<float> tops = pushedApart(middles, line, min.y, max.y);
  for (std::size_t i = 0; i < entries.size(); ++i) painter.entry(entries[i], min.x, tops[i]);
}

void drawAsList(LegendPainter& painter, const std::vector<LegendEntry>& entries, ImVec2 min, ImVec2 max) {
  ImGui::SetCursorScreenPos(min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const float line = painter.view.px(kLine);
  const float wholeLines = std::max(1.0f, std::floor((max.y - min.y) / line)) * line;
  if (ImGui::BeginChild("labels", {max.x - min.x, wholeLines})) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float scrollbar = ImGui::GetStyle().ScrollbarSize;
    painter.room.width = std::min(painter.room.width, max.x - min.x - scrollbar);
    for (std::size_t i = 0; i < entries.size(); ++i)
      painter.entry(entries[i], origin.x + painter.view.px(2), origin.y + line * float(i));
    ImGui::SetCursorScreenPos(origin);
    ImGui::Dummy({1, line * float(entries.size())});
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

LegendRoom legendRoom(const ViewContext& view, float available, LegendUnit unit) {
  const float value = valueWidth(view, unit);
  const float scrollbar = ImGui::GetStyle().ScrollbarSize + view.px(4);
  for (const NameLength names : {NameLength::Full, NameLength::Short})
    if (const float width = widthFor(view, names, unit) + scrollbar; width <= available * kMaxShare)
      return {width, value, names};
  return {widthFor(view, NameLength::Number, unit) + scrollbar, value, NameLength::Number};
}

std::vector<float> pushedApart(const std::vector<float>& middles, float line, float top, float bottom) {
  std::vector<float> tops;
  float free = top;
  for (const float middle : middles) {
    tops.push_back(std::max(free, middle - line / 2));
    free = tops.back() + line;
  }
  float least = bottom;
  for (std::size_t i = tops.size(); i-- > 0;) {
    tops[i] = std::min(tops[i], least - line);
    least = tops[i];
  }
  return tops;
}

void drawLegend(ViewContext& view, TimingsState& state, const LegendRoom& room,
                std::vector<LegendEntry> entries, ImVec2 min, ImVec2 max) {
  std::erase_if(entries, [&](const LegendEntry& entry) {
    return isMeasuredHereToo(view.times.picture, state, *entry.line);
  });
  std::ranges::stable_sort(entries, {}, [&](const LegendEntry& entry) {
    const bool hidden = isHidden(view.times.picture, state, state.tab, *entry.line);
    return std::pair(hidden && !state.toggled.contains(toggleKey(state.tab, *entry.line)), entry.height);
  });
  LegendPainter painter{view, state, room, {}};
  if (view.px(kLine) * float(entries.size()) <= max.y - min.y)
    drawBesideEnds(painter, entries, min, max);
  else
    drawAsList(painter, entries, min, max);
  state.pointedAt = painter.pointedAt;
}

}  // namespace stridescope::views
