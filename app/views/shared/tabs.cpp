#include "views/shared/tabs.h"

#include <cmath>

#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kAfterTitle = 12;  // units

float lineStart(const ViewContext& view, const draw::Panel& panel) {
  return panel.titleEnd().x + (panel.hasTitle() ? view.px(kAfterTitle) : 0);
}

float lineTop(const ViewContext& view, const draw::Panel& panel) {
  return panel.contentMin().y - view.px(draw::kPanelTitleHeight) +
         (view.px(draw::kPanelTitleHeight) - view.px(kTabHeight)) / 2;
}

float tabWidth(const ViewContext& view, const draw::TextStyle& style, const std::string& label) {
  return std::ceil(draw::textSize(style, label).x) + view.px(2 * kTabPadding);
}

// The raised ground of what is chosen.
void drawRaised(const ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 underline) {
  list.AddRectFilled(min, max, view.colours().field, view.px(draw::kPanelRadius));
  list.AddRectFilled({min.x + view.px(6), max.y - view.px(2)}, {max.x - view.px(6), max.y}, underline);
}

void explain(const ViewContext& view, const Choice& choice) {
  wideTooltip(view, choice.text + ", " + choice.where);
}

// The entries of the open list, in three columns. Returns the one that was clicked, else -1.
int listEntries(const ViewContext& view, std::span<const Choice> choices, int chosen) {
  float labels = 0, texts = 0;
  for (const Choice& choice : choices) {
    labels = std::max(labels, ImGui::CalcTextSize(choice.label.c_str()).x);
    texts = std::max(texts, ImGui::CalcTextSize(choice.text.c_str()).x);
  }
  const float between = view.px(2 * kTabPadding);
  int clicked = -1;
  for (int index = 0; index < int(choices.size()); ++index) {
    const Choice& choice = choices[std::size_t(index)];
    const float left = ImGui::GetCursorPosX();
    if (ImGui::Selectable(choice.label.c_str(), index == chosen)) clicked = index;
    if (index == chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    ImGui::SameLine(left + labels + between);
    ImGui::TextDisabled("%s", choice.text.c_str());
    ImGui::SameLine(left + labels + texts + 2 * between);
    ImGui::TextDisabled("%s", choice.where.c_str());
  }
  return clicked;
}

}  // namespace

int drawTabs(ViewContext& view, const draw::Panel& panel, std::span<const Choice> choices, int chosen,
             ImU32 underline, float& end) {
  const draw::Palette& colours = view.colours();
  float left = lineStart(view, panel);
  const float top = lineTop(view, panel);
  int clicked = -1;
  for (int index = 0; index < int(choices.size()); ++index) {
    const Choice& choice = choices[std::size_t(index)];
    const bool on = index == chosen;
    const draw::TextStyle style =
        on ? view.semiBold(colours.text, draw::kBodySize) : view.words(colours.dim, draw::kBodySize);
    const ImVec2 min{left, top}, max{left + tabWidth(view, style, choice.label), top + view.px(kTabHeight)};
    if (max.x > panel.titleRight()) break;
    ImGui::SetCursorScreenPos(min);
    if (ImGui::InvisibleButton(choice.label.c_str(), {max.x - min.x, max.y - min.y},
                               ImGuiButtonFlags_EnableNav))
      clicked = index;
    walkControl(view, min, max);
    if (!choice.text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) explain(view, choice);
    if (on) drawRaised(view, panel.list(), min, max, underline);
    view.text(panel.list(), min, max, choice.label, style, draw::TextAlign::Centre);
    left = max.x + view.px(kBetweenTabs);
  }
  end = left;
  return clicked;
}

bool tabsFit(const ViewContext& view, const draw::Panel& panel, std::span<const Choice> choices) {
  const draw::TextStyle words = view.words(0, draw::kBodySize);
  const draw::TextStyle bold = view.semiBold(0, draw::kBodySize);
  float right = lineStart(view, panel), bolder = 0;
  for (const Choice& choice : choices) {
    const float width = tabWidth(view, words, choice.label);
    right += width + view.px(kBetweenTabs);
    bolder = std::max(bolder, tabWidth(view, bold, choice.label) - width);
  }
  return right - view.px(kBetweenTabs) + bolder <= panel.titleRight();
}

int drawChoiceList(ViewContext& view, const draw::Panel& panel, const char* name,
                   std::span<const Choice> choices, int chosen, ImU32 underline) {
  const draw::Palette& colours = view.colours();
  const Choice& shown = choices[std::size_t(chosen)];
  const draw::TextStyle label = view.semiBold(colours.text, draw::kBodySize);
  const draw::TextStyle code = view.code(colours.dim);
  const ImVec2 min{lineStart(view, panel), lineTop(view, panel)};
  const float height = view.px(kTabHeight), padding = view.px(kTabPadding), arrow = height;
  const auto labelWidth = [&](const Choice& choice) {
    return std::ceil(draw::textSize(label, choice.label).x);
  };
  float widest = 0;
  for (const Choice& choice : choices)
    widest = std::max(widest, labelWidth(choice) + std::ceil(draw::textSize(code, choice.text).x));
  const ImVec2 max{std::min(min.x + 2 * padding + widest + arrow, panel.titleRight()), min.y + height};

  ImGui::SetCursorScreenPos(min);
  ImGui::SetNextItemWidth(max.x - min.x);
  const float frame = (height - ImGui::GetFontSize()) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {padding, frame});
  const bool opened = ImGui::BeginCombo(name, "", ImGuiComboFlags_HeightLarge);
  ImGui::PopStyleVar();
  if (!opened) walkControl(view, min, max);
  const bool hovered = !opened && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal);
  int clicked = -1;
  if (opened) {
    clicked = listEntries(view, choices, chosen);
    ImGui::EndCombo();
  }
  const float textRight = max.x - arrow;
  view.text(panel.list(), {min.x + padding, min.y}, {textRight, max.y}, shown.label, label);
  const float textLeft = min.x + 2 * padding + labelWidth(shown);
  if (textLeft + draw::textSize(code, shown.text).x <= textRight + 1)
    view.text(panel.list(), {textLeft, min.y}, {textRight + 1, max.y}, shown.text, code);
  else if (hovered)
    explain(view, shown);
  panel.list().AddRectFilled({min.x + view.px(6), max.y - view.px(2)}, {textRight, max.y}, underline);
  return clicked;
}

}  // namespace stridescope::views
