#include "draw/panel.h"

#include <algorithm>
#include <string>

#include "draw/draw_context.h"
#include "draw/text.h"
#include "imgui_internal.h"

namespace stridescope::draw {
namespace {

constexpr float kNoteGap = 16;
constexpr const char* kScrolled = "scrolled";

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
void moveByTitle(ImGuiWindow& window, ImVec2 min, ImVec2 max) {
  const ImGuiID id = ImGui::GetID("##title line");
  const ImRect line(min, max);
  ImGui::KeepAliveID(id);
  bool hovered = false, held = false;
  if (!ImGui::ItemAdd(line, id, nullptr, ImGuiItemFlags_NoNav)) return;
  ImGui::ButtonBehavior(line, id, &hovered, &held, ImGuiButtonFlags_AllowOverlap);
  if (held && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    ImGui::StartMouseMovingWindowOrNode(&window, window.DockNode, true);
  }
}

// What a panel of this size needs beyond it, with the bars that scroll to the rest; zero: it has the room.
ImVec2 scrolledSize(const ImRect& room, ImVec2 least) {
  constexpr float kRounding = 1;
  const ImVec2 size = room.GetSize();
  const float bar = ImGui::GetStyle().ScrollbarSize;
  bool across = size.x < least.x - kRounding, down = size.y < least.y - kRounding;
  if (!across && !down) return {};
  across = across || size.x - bar < least.x - kRounding;
  down = down || (across && size.y - bar < least.y - kRounding);
  return {across ? least.x : size.x - (down ? bar : 0), down ? least.y : size.y - (across ? bar : 0)};
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
                          ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing);
}

}  // namespace

Panel::Panel(DrawContext& context, const PanelSpec& spec) {
  const Palette& colours = context.colours();
  // The ground with its round corners is painted here; Dear ImGui would leave those of docked windows square,
  // and each pixel that is painted twice costs where there is no GPU to draw.
  ImGui::PushStyleColor(ImGuiCol_WindowBg, 0u);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(context.px(kPanelInset), context.px(kPanelInset)));
  const bool shown =
      begin(context, spec,
            ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (!shown) return;

  ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const ImRect room = window.InnerRect;
  list().AddRectFilled(
      room.Min, room.Max, colours.panel, context.px(kPanelRadius),
      context.stand != nullptr && context.stand->isNamedAbove ? ImDrawFlags_RoundCornersBottom : 0);
  const ImVec2 least(spec.leastWidth * context.scale,
                     spec.leastHeight * context.scale - (room.Min.y - window.Pos.y));
  const ImVec2 whole = scrolledSize(room, least);
  isScrolled_ = whole.y > 0;
  ImVec2 min = room.Min, max = room.Max;
  if (isScrolled_) {
    ImGui::SetCursorScreenPos(room.Min);
    ImGui::SetNextWindowContentSize(whole);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild(kScrolled, room.GetSize(), ImGuiChildFlags_None,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    min = ImGui::GetCursorScreenPos();
    max = {min.x + whole.x, min.y + whole.y};
  }
  ImDrawList& drawList = list();
  const float inset = context.px(kPanelInset);

  // Under its own tab a panel would say its name twice.
  const ImRect above = namedAbove(window, context);
  const bool isNamedAbove = above.GetHeight() >= 1;
  const bool hasTitleLine = !isNamedAbove || spec.hasControlsInTitle;
  const float titleBottom = min.y + context.px(hasTitleLine ? kPanelTitleHeight : kPanelInset);
  contentMin_ = {min.x + inset, titleBottom};
  contentMax_ = {max.x - inset, max.y - inset};
  const ImVec2 titleMin(min.x + inset, min.y + context.px(kBaseUnit));
  const ImVec2 titleMax(max.x - inset, titleBottom);
  if (!isNamedAbove && context.stand == nullptr) moveByTitle(window, min, {max.x, titleBottom});
  const TextStyle titleStyle = semiBoldStyle(context, kBodySize, colours.text);
  const std::string_view shownName = spec.title.empty() ? std::string_view(spec.name) : spec.title;
  const std::string_view title = isNamedAbove ? std::string_view() : shownName;
  const DrawnText drawnTitle = drawText(context, drawList, titleMin, titleMax, title, titleStyle);
  titleEnd_ = {drawnTitle.max.x, titleMin.y};
  titleRight_ = contentMax_.x;

  const TextStyle noteStyle = wordsStyle(context, kLabelSize, colours.dim);
  const ImVec2 noteMin(isNamedAbove ? endOfNames(window, context) : titleEnd_.x,
                       isNamedAbove ? above.Min.y : titleMin.y);
  const ImVec2 noteMax(isNamedAbove ? room.Max.x - inset : titleMax.x,
                       isNamedAbove ? above.Max.y : titleMax.y);
  const float noteWidth = textSize(noteStyle, spec.note).x;
  if (noteMin.x + context.px(kNoteGap) + noteWidth <= noteMax.x) {
    if (!isNamedAbove && !spec.note.empty()) titleRight_ = noteMax.x - noteWidth - context.px(kBaseUnit);
    // A window's own clip leaves out the line of its tab.
    ImDrawList& noteList = isNamedAbove ? *window.DrawList : drawList;
    noteList.PushClipRect({window.Pos.x, std::min(window.Pos.y, above.Min.y)}, room.Max, !isNamedAbove);
    drawText(context, noteList, noteMin, noteMax, spec.note, noteStyle, TextAlign::Right);
    noteList.PopClipRect();
  }
  ImGui::SetCursorScreenPos(contentMin_);
  drawn_ = true;
}

Panel::~Panel() {
  if (drawn_) ImGui::Dummy({0, 0});  // Dear ImGui wants an item after a cursor that was set
  if (isScrolled_) ImGui::EndChild();
  ImGui::End();
}

}  // namespace stridescope::draw
