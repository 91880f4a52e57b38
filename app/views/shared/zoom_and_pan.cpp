#include "views/shared/zoom_and_pan.h"

#include <cmath>

namespace stridescope::views {
namespace {

std::size_t rounded(double first, std::size_t last) {
  return std::size_t(std::clamp(std::round(first), 0.0, double(last)));
}

// As turns of the wheel: + nears, - recedes; = is the key of + on a US keyboard, without Shift.
float typedZoom() {
  float turns = 0;
  if (ImGui::GetIO().WantTextInput || ImGui::GetIO().KeyCtrl) return turns;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
    turns += c == '+' || c == '=' ? 1.0f : c == '-' ? -1.0f : 0.0f;
  return turns;
}

}  // namespace

void zoomAndPan(const ViewContext& view, const HitArea& area, const ColumnsShown& shown, ZoomAndPan& state) {
  if (area.clicked) state.grabbed = shown.first;
  if (shown.inView == 0) return;
  if (area.held && shown.inView < shown.all && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    // The whole drag counts: what one frame adds to it may be less than a column.
    const double moved = double(ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x / shown.width);
    state.inView = shown.inView;
    state.first = rounded(double(state.grabbed) - moved, shown.all - shown.inView);
  }
  if (!area.hovered && !area.hasKeys) return;
  if (areLettersFree(view.app) && ImGui::IsKeyPressed(ImGuiKey_F, false))
    state.inView = state.first = std::nullopt;
  const float turned = (area.hovered ? ImGui::GetIO().MouseWheel : 0) + (area.hasKeys ? typedZoom() : 0);
  if (turned == 0) return;
  const std::size_t requested = turned > 0 ? std::max<std::size_t>(1, shown.inView / 2) : shown.inView * 2;
  const std::size_t next = std::min(requested, shown.all);
  // About what is pointed at, else the middle.
  const double about = area.hovered ? shown.pointer : double(shown.first) + double(shown.inView) / 2;
  const double share = std::clamp((about - double(shown.first)) / double(shown.inView), 0.0, 1.0);
  state.inView = next;
  state.first = rounded(about - share * double(next), shown.all - next);
}

}  // namespace stridescope::views
