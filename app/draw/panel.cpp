#include "draw/panel.h"

#include <algorithm>
#include <string>

#include "draw/metrics.h"
#include "draw/text.h"
#include "imgui_internal.h"

namespace stridescope::draw {
namespace {

constexpr std::string_view kStandIn = "widen to see";
constexpr float kNoteGap = 16;

// Where a tab or Dear ImGui's title bar names the window: between its outer and its inner edge. Empty where
// neither does.
ImRect namedAbove(const ImGuiWindow& window, const DrawContext& context) {
  if (context.stand == nullptr) return {window.Pos, {window.InnerRect.Max.x, window.InnerRect.Min.y}};
  const float height = context.stand->isNamedAbove ? context.px(kPanelTitleHeight) : 0;
  return {{window.Pos.x, window.Pos.y - height}, {window.InnerRect.Max.x, window.Pos.y}};
}

// The end of the tabs, or of the title, on the line above the window.
float endOfNames(const ImGuiWindow& window, const DrawContext& context) {
  if (context.stand != nullptr) return context.stand->noteLeft;
  const ImGuiTabBar* tabs = window.DockNode == nullptr ? nullptr : window.DockNode->TabBar;
  if (tabs != nullptr) return tabs->BarRect.Min.x + tabs->WidthAllTabs;
  return window.Pos.x + ImGui::CalcTextSize(window.Name).x + ImGui::GetStyle().FramePadding.x * 2;
}

// A tab bar would let a person drag the panel away; where there is none, its title line does.
void moveByTitle(ImVec2 min, ImVec2 max) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImGuiID id = window->GetID("##title line");
  const ImRect line(min, max);
  ImGui::KeepAliveID(id);
  bool hovered = false, held = false;
  if (!ImGui::ItemAdd(line, id, nullptr, ImGuiItemFlags_NoNav)) return;
  ImGui::ButtonBehavior(line, id, &hovered, &held, ImGuiButtonFlags_AllowOverlap);
  if (held && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    ImGui::StartMouseMovingWindowOrNode(window, window->DockNode, true);
  }
}

bool begin(const DrawContext& context, const PanelSpec& spec, ImGuiWindowFlags flags) {
  if (context.stand == nullptr) return ImGui::Begin(spec.name, spec.open, flags);
  ImGui::SetNextWindowPos(context.stand->min);
  ImGui::SetNextWindowSize(
      {context.stand->max.x - context.stand->min.x, context.stand->max.y - context.stand->min.y});
  const std::string name = std::string(spec.name) + "##" + std::string(context.stand->id);
  return ImGui::Begin(name.c_str(), nullptr,
                      flags | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                          ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoBringToFrontOnFocus);
}

}  // namespace

Panel::Panel(DrawContext& context, const PanelSpec& spec) {
  const Palette& colours = context.colours();
  // The ground with its round corners is painted here; Dear ImGui would leave those of docked windows square.
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colours.window);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(context.px(kPanelInset), context.px(kPanelInset)));
  const bool shown =
      begin(context, spec,
            ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (!shown) return;

  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  ImDrawList& drawList = list();
  const ImVec2 min = window.InnerRect.Min, max = window.InnerRect.Max;
  const float inset = context.px(kPanelInset);
  drawList.AddRectFilled(
      min, max, colours.panel, context.px(kPanelRadius),
      context.stand != nullptr && context.stand->isNamedAbove ? ImDrawFlags_RoundCornersBottom : 0);

  // Under its own tab a panel would say its name twice.
  const ImRect above = namedAbove(window, context);
  const bool isNamedAbove = above.GetHeight() >= 1;
  const bool hasTitleLine = !isNamedAbove || spec.hasControlsInTitle;
  const float titleBottom = min.y + context.px(hasTitleLine ? kPanelTitleHeight : kPanelInset);
  contentMin_ = {min.x + inset, titleBottom};
  contentMax_ = {max.x - inset, max.y - inset};
  const ImVec2 titleMin(min.x + inset, min.y + context.px(kBaseUnit));
  const ImVec2 titleMax(max.x - inset, titleBottom);
  if (!isNamedAbove && context.stand == nullptr) moveByTitle(min, {max.x, titleBottom});
  const TextStyle titleStyle = semiBoldStyle(context, kBodySize, colours.text);
  const std::string_view shownName = spec.title.empty() ? std::string_view(spec.name) : spec.title;
  const std::string_view title = isNamedAbove ? std::string_view() : shownName;
  const DrawnText drawnTitle = drawText(context, drawList, titleMin, titleMax, title, titleStyle);
  titleEnd_ = {drawnTitle.max.x, titleMin.y};
  titleRight_ = contentMax_.x;

  const bool hasRoom = max.x - min.x >= spec.leastWidth * context.scale - 1 &&
                       max.y - window.Pos.y >= spec.leastHeight * context.scale - 1;
  if (!hasRoom) {
    const TextStyle standIn = wordsStyle(context, kLabelSize, colours.dim);
    if (contentMax_.y > contentMin_.y) {
      drawText(context, drawList, contentMin_, {contentMax_.x, contentMin_.y + context.px(kLabelLineHeight)},
               kStandIn, standIn);
    }
    return;
  }
  const TextStyle noteStyle = wordsStyle(context, kLabelSize, colours.dim);
  const ImVec2 noteMin(isNamedAbove ? endOfNames(window, context) : titleEnd_.x,
                       isNamedAbove ? above.Min.y : titleMin.y);
  const ImVec2 noteMax(titleMax.x, isNamedAbove ? above.Max.y : titleMax.y);
  const float noteWidth = textSize(noteStyle, spec.note).x;
  if (noteMin.x + context.px(kNoteGap) + noteWidth <= noteMax.x) {
    if (!isNamedAbove && !spec.note.empty()) titleRight_ = noteMax.x - noteWidth - context.px(kBaseUnit);
    drawList.PushClipRect({window.Pos.x, std::min(window.Pos.y, above.Min.y)}, max,
                          false);  // a window's own clip leaves out the line of its tab
    drawText(context, drawList, noteMin, noteMax, spec.note, noteStyle, TextAlign::Right);
    drawList.PopClipRect();
  }
  ImGui::SetCursorScreenPos(contentMin_);
  drawn_ = true;
}

Panel::~Panel() {
  if (drawn_) ImGui::Dummy({0, 0});  // Dear ImGui wants an item after a cursor that was set
  ImGui::End();
}

}  // namespace stridescope::draw
