#include "views/shared/tooltip.h"

#include "views/shared/view_context.h"

namespace stridescope::views {
namespace {

constexpr float kInsetX = 10, kInsetY = 7, kTooltipWidth = 380;  // units

}  // namespace

Tooltip::Tooltip(const ViewContext& view) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(view.px(kInsetX), view.px(kInsetY)));
  begun_ = ImGui::BeginTooltip();
  ImGui::PopStyleVar();
}

Tooltip::~Tooltip() {
  if (begun_) ImGui::EndTooltip();
}

void wideTooltip(const ViewContext& view, const std::string& text) {
  const Tooltip tooltip(view);
  if (!tooltip) return;
  ImGui::PushTextWrapPos(view.px(kTooltipWidth));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace stridescope::views
