#include "views/predict/pressables.h"

#include <cmath>

#include "draw/marks.h"

namespace stridescope::views {
namespace {

constexpr float kButtonInset = 12, kKeyGap = 10, kButtonHeight = 28;

}  // namespace

bool pressed(const char* label, ImVec2 min, ImVec2 max, bool enabled) {
  ImGui::SetCursorScreenPos(min);
  ImGui::BeginDisabled(!enabled);
  const bool was = ImGui::InvisibleButton(
      label, {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)}, ImGuiButtonFlags_EnableNav);
  ImGui::EndDisabled();
  return was;
}

float widthOf(const ViewContext& view, const KeyButton& button) {
  const float label = draw::textSize(draw::semiBoldStyle(view.draw, draw::kBodySize, 0), button.label).x;
  const float key = draw::textSize(draw::wordsStyle(view.draw, draw::kLabelSize, 0), button.key).x;
  return label + (button.key.empty() ? 0 : view.px(kKeyGap) + key) + 2 * view.px(kButtonInset);
}

bool drawKeyButton(ViewContext& view, ImDrawList& list, ImVec2 min, const KeyButton& button) {
  const draw::Palette& colours = view.colours();
  const ImVec2 max{min.x + widthOf(view, button), min.y + view.px(kButtonHeight)};
  const bool was = pressed(button.label, min, max);
  const bool hovered = ImGui::IsItemHovered();
  list.AddRectFilled(min, max,
                     button.primary ? colours.result
                     : hovered      ? colours.line
                                    : colours.field,
                     view.px(draw::kFieldRadius));
  const ImU32 ink = button.primary ? colours.ink : colours.text,
              dim = button.primary ? colours.ink : colours.dim;
  const float left = min.x + view.px(kButtonInset);
  const draw::TextStyle words = draw::semiBoldStyle(view.draw, draw::kBodySize, ink);
  draw::drawText(view.draw, list, {left, min.y}, max, button.label, words);
  const float keyLeft = left + draw::textSize(words, button.label).x + view.px(kKeyGap);
  draw::drawText(view.draw, list, {keyLeft, min.y}, max, button.key,
                 draw::wordsStyle(view.draw, draw::kLabelSize, dim));
  return was;
}

bool drawChip(ViewContext& view, ImDrawList& list, const char* label, const std::string& text, ImVec2 min,
              ImVec2 max, ChipLook look, bool open) {
  const draw::Palette& colours = view.colours();
  const bool was = open && pressed(label, min, max);
  const bool hovered = open && ImGui::IsItemHovered();
  const bool isTrue = look == ChipLook::True || look == ChipLook::ChosenTrue;
  list.AddRectFilled(min, max,
                     isTrue    ? colours.result
                     : hovered ? colours.line
                               : colours.field,
                     view.px(draw::kFieldRadius));
  const ImU32 ink = isTrue ? colours.ink : colours.text;
  const float height = max.y - min.y, mark = std::round(height * 0.2f);
  const bool marked = look != ChipLook::Plain;
  const float room = marked ? height * 0.7f : 0;
  draw::drawText(view.draw, list, min, {max.x - room, max.y}, text,
                 draw::codeStyle(view.draw, draw::kLabelSize, ink), draw::TextAlign::Centre);
  const ImVec2 middle{std::round(max.x - height * 0.5f), std::round((min.y + max.y) / 2)};
  switch (look) {
    case ChipLook::Chosen:
      draw::outlineInside(view.draw, list, min, max, colours.text, 2, draw::kFieldRadius);
      list.AddRectFilled({middle.x - mark, middle.y - mark}, {middle.x + mark, middle.y + mark},
                         colours.text);
      break;
    case ChipLook::True:
      draw::drawDashedRectangle(view.draw, list, {middle.x - mark, middle.y - mark},
                                {middle.x + mark, middle.y + mark}, colours.ink, 1.5f, 2);
      break;
    case ChipLook::ChosenTrue:
      draw::drawTick(view.draw, list, middle, mark, colours.ink, 2);
      break;
    case ChipLook::ChosenFalse:
      draw::outlineInside(view.draw, list, min, max, colours.problem, 2, draw::kFieldRadius);
      draw::drawCross(view.draw, list, middle, mark, colours.problem, 2);
      break;
    case ChipLook::Plain:
      break;
  }
  return was;
}

}  // namespace stridescope::views
