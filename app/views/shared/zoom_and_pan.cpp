#include "views/shared/zoom_and_pan.h"

#include <cmath>

namespace stridescope::views {
namespace {

std::size_t rounded(double first, std::size_t last) {
  return std::size_t(std::clamp(std::round(first), 0.0, double(last)));
}

}  // namespace

void zoomAndPan(const HitArea& area, const ColumnsShown& shown, ZoomAndPan& state) {
  if (area.clicked) state.grabbed = shown.first;
  if (shown.inView == 0) return;
  if (area.held && shown.inView < shown.all && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    // Of the whole drag: what a frame adds to it may be less than a column.
    const double moved = double(ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x / shown.width);
    state.inView = shown.inView;
    state.first = rounded(double(state.grabbed) - moved, shown.all - shown.inView);
  }
  if (!area.hovered && !area.hasKeys) return;
  if (ImGui::IsKeyPressed(ImGuiKey_F, false)) state.inView = state.first = std::nullopt;
  if (const float wheel = ImGui::GetIO().MouseWheel; area.hovered && wheel != 0) {
    const std::size_t requested = wheel > 0 ? std::max<std::size_t>(1, shown.inView / 2) : shown.inView * 2;
    const std::size_t next = std::min(requested, shown.all);
    const double share = std::clamp((shown.pointer - double(shown.first)) / double(shown.inView), 0.0, 1.0);
    state.inView = next;
    state.first = rounded(shown.pointer - share * double(next), shown.all - next);
  }
}

}  // namespace stridescope::views
