#include "views/chrome/engine_chip.h"

#include <cmath>

#include "draw/marks.h"

namespace stridescope::views {
namespace {

std::string chipText(const session::Replay& replay) {
  return replay.run() ? executorText(replay) : "nothing recorded";
}

}  // namespace

float engineChipWidth(const ViewContext& view) {
  const draw::TextStyle style = draw::semiBoldStyle(view.draw, draw::kBodySize, 0);
  return std::max(view.px(180), std::ceil(draw::textSize(style, chipText(view.replay)).x) + view.px(44));
}

void drawEngineChip(ViewContext& view, ImVec2 min, ImVec2 max) {
  const draw::Palette& colours = view.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(min);
  const bool pressed =
      ImGui::InvisibleButton("what executes", {max.x - min.x, max.y - min.y}, ImGuiButtonFlags_EnableNav);
  const bool hovered = ImGui::IsItemHovered();
  if (pressed) ImGui::OpenPopup("engines");
  const float round = (max.y - min.y) / 2;
  list.AddRectFilled(min, max, hovered ? colours.field : colours.panel, round);
  list.AddRect(min, max, colours.operand, round, 0, view.px(2));
  const ImVec2 dot{min.x + view.px(16), (min.y + max.y) / 2};
  const bool live = view.replay.run() && view.replay.run()->trace.executor.kind == model::EngineKind::Gpu;
  if (live)
    list.AddCircleFilled(dot, view.px(5), colours.operand);
  else
    list.AddRectFilled({dot.x - view.px(4), dot.y - view.px(4)}, {dot.x + view.px(4), dot.y + view.px(4)},
                       colours.operand);
  draw::drawText(view.draw, list, {min.x + view.px(28), min.y}, {max.x - view.px(8), max.y},
                 chipText(view.replay), draw::semiBoldStyle(view.draw, draw::kBodySize, colours.text));

  // Below the chip, as the lists of the fields are below theirs.
  ImGui::SetNextWindowPos({max.x, max.y}, ImGuiCond_Appearing, {1, 0});
  if (!ImGui::BeginPopup("engines")) return;
  for (const session::EngineChoice& choice : view.workspace.engines()) {
    ImGui::BeginDisabled(!choice.why.empty());
    if (ImGui::MenuItem(choice.label.c_str(), nullptr, choice.id == view.workspace.engineId()))
      view.commands.push_back(session::ChooseEngine{choice.id});
    ImGui::EndDisabled();
    if (!choice.why.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
      wideTooltip(view, choice.why);
  }
  ImGui::EndPopup();
}

}  // namespace stridescope::views
