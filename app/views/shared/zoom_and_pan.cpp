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

void zoomAndPan(const ViewContext& view, const HitArea& area, const ColumnsShown& shown, ZoomAndPan& state,
                const RowsShown& rows) {
  if (area.clicked) state.grabbed = shown.first, state.grabbedRow = rows.first;
  if (shown.inView == 0) return;
  const bool isPart = shown.inView < shown.all || rows.inView < rows.all;
  if (area.held && isPart && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    // The whole drag counts: what one frame adds to it may be less than a column.
    const ImVec2 dragged = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    if (shown.inView < shown.all) state.inView = shown.inView;
    state.first = rounded(double(state.grabbed) - double(dragged.x / shown.width), shown.all - shown.inView);
    state.firstRow = state.grabbedRow - double(dragged.y / shown.width);
  }
  if (!area.hovered && !area.hasKeys) return;
  if (areLettersFree(view.app) && ImGui::IsKeyPressed(ImGuiKey_F, false)) {
    state.inView = state.first = std::nullopt;
    state.firstRow = std::nullopt;
  }
  const float turned = (area.hovered ? ImGui::GetIO().MouseWheel : 0) + (area.hasKeys ? typedZoom() : 0);
  if (turned == 0) return;
  const std::size_t least = std::clamp<std::size_t>(shown.least, 1, std::max<std::size_t>(1, shown.inView));
  const std::size_t requested = turned > 0 ? std::max(least, shown.inView / 2) : shown.inView * 2;
  const std::size_t next = std::min(requested, shown.all);
  // About what is pointed at, else the middle.
  const double about = area.hovered ? shown.pointer : double(shown.first) + double(shown.inView) / 2;
  const double share = std::clamp((about - double(shown.first)) / double(shown.inView), 0.0, 1.0);
  // All of them stay all where there will be more.
  state.inView = next < shown.all ? std::optional(next) : std::nullopt;
  state.first = rounded(about - share * double(next), shown.all - next);
  const double aboutRow = area.hovered ? rows.pointer : rows.first + rows.inView / 2;
  state.firstRow = aboutRow - (aboutRow - rows.first) * double(next) / double(shown.inView);
}

}  // namespace stridescope::views
