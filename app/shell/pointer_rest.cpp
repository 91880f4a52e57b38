#include "shell/pointer_rest.h"

#include <algorithm>
#include <cfloat>
#include <limits>
#include <utility>

#include "imgui_internal.h"

namespace stridescope::shell {
namespace {

bool isUsed(const ImGuiIO& io) {
  return std::ranges::any_of(io.MouseDown, [](bool down) { return down; }) || io.MouseWheel != 0 ||
         io.MouseWheelH != 0;
}

// As if it had come there, or had left, before NewFrame.
void putPointer(ImGuiIO& io, ImVec2 place) {
  io.MousePos = place;
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
    if (io.MouseClicked[button]) io.MouseClickedPos[button] = place;
  ImGui::UpdateHoveredWindowAndCaptureFlags(place);
}

}  // namespace

void PointerRest::beginFrame(double now, bool hasMoved) {
  ImGuiIO& io = ImGui::GetIO();
  now_ = now;
  restedBefore_ = rests_;
  const bool isThere = ImGui::IsMousePosValid(&io.MousePos), isUsedNow = isUsed(io);
  const bool moved = isThere && (!seen_ || seen_->x != io.MousePos.x || seen_->y != io.MousePos.y);
  if (isThere) seen_ = io.MousePos;
  begun_ = begun_ || hasMoved || isUsedNow;
  if (std::exchange(asked_, false) || !begun_) rests_ = true;
  if (begun_ && (moved || isUsedNow)) {
    usedAt_ = now;
    rests_ = false;
  } else if (after_ && now - usedAt_ >= *after_) {
    rests_ = true;
  }
  if (rests_)
    putPointer(io, {-FLT_MAX, -FLT_MAX});
  else if (!isThere && restedBefore_ && seen_)
    putPointer(io, *seen_);
}

double PointerRest::restsIn() const {
  if (rests_ || !after_ || !seen_) return std::numeric_limits<double>::infinity();
  return std::max(0.0, usedAt_ + *after_ - now_);
}

}  // namespace stridescope::shell
