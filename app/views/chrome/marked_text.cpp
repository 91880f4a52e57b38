#include "views/chrome/marked_text.h"

#include <algorithm>

#include "draw/marks.h"
#include "imgui_internal.h"
#include "views/chrome/glossary.h"
#include "views/chrome/link_words.h"

namespace stridescope::views {
namespace {

constexpr float kTooltipGap = 6;  // units

float endOfWindow() { return ImGui::GetWindowPos().x + ImGui::GetWindowSize().x; }

}  // namespace

std::vector<MarkedPlace> placesOf(std::span<const TextMark> marks, std::string_view text,
                                  const draw::TextStyle& style, ImVec2 topLeft, float widthPx,
                                  float lineHeightPx) {
  std::vector<MarkedPlace> places;
  float top = topLeft.y;
  for (const std::string_view line : draw::wrappedLines(style, text, widthPx)) {
    const auto begin = std::size_t(line.data() - text.data()), end = begin + line.size();
    for (const TextMark& mark : marks) {
      const std::size_t from = std::max(mark.begin, begin), to = std::min(mark.end, end);
      if (from >= to) continue;
      const float left = topLeft.x + draw::textSize(style, text.substr(begin, from - begin)).x;
      const float width = draw::textSize(style, text.substr(from, to - from)).x;
      places.push_back({&mark, {left, top}, {left + width, top + lineHeightPx}});
    }
    top += lineHeightPx;
  }
  return places;
}

bool drawMark(ViewContext& view, ImDrawList& list, const MarkedPlace& place, const std::string& label) {
  const draw::Palette& colours = view.colours();
  const auto underline = [&](float thickness, ImU32 colour) {
    list.AddRectFilled({place.min.x, place.max.y - view.px(1) - view.px(thickness)},
                       {place.max.x, place.max.y - view.px(1)}, colour);
  };
  if (place.mark->isLink) {
    ImGui::SetCursorScreenPos(place.min);
    const ImVec2 size{std::max(1.0f, place.max.x - place.min.x), std::max(1.0f, place.max.y - place.min.y)};
    const bool pressed = ImGui::InvisibleButton(label.c_str(), size, ImGuiButtonFlags_EnableNav);
    const bool hasKeys = ImGui::IsItemFocused() && ImGui::GetCurrentContext()->NavCursorVisible;
    underline(2, ImGui::IsItemHovered() ? colours.text : colours.operandLine);
    if (hasKeys)
      draw::outlineInside(view.draw, list, {place.min.x - view.px(3), place.min.y},
                          {place.max.x + view.px(3), place.max.y}, colours.text, 2, draw::kFieldRadius);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) {
      // The tooltip of a link that the keyboard came to stands beside the text: below, it would cover the
      // next lines.
      if (hasKeys) ImGui::SetNextWindowPos({endOfWindow() + view.px(kTooltipGap), place.min.y});
      wideTooltip(view, linkWords(view, place.mark->target));
    }
    return pressed;
  }
  const bool hovered = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(place.min, place.max);
  if (hovered || place.mark->underlined) underline(1, hovered ? colours.text : colours.dim);
  if (!hovered) return false;
  if (const GlossaryEntry* const entry = glossary().find(place.mark->target))
    wideTooltip(view, entry->term + ": " + entry->sentence);
  return ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

}  // namespace stridescope::views
