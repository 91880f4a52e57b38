#include "views/chrome/early_characters.h"

#include "imgui_internal.h"

namespace stridescope::views {
namespace {

constexpr int kMaxFrames = 6;  // a field that has no keyboard by then gets none

}  // namespace

void EarlyCharacters::begin() {
  waiting_.clear();
  framesLeft_ = kMaxFrames;
  take();
}

void EarlyCharacters::keep() {
  // The field did not come.
  if (lastFrame_ + 1 < ImGui::GetFrameCount()) framesLeft_ = 0, waiting_.clear();
  if (framesLeft_ > 0) return take();
  // The field takes what this frame has: what came earlier stands before that.
  auto& queue = ImGui::GetIO().InputQueueCharacters;
  for (std::size_t i = 0; i < waiting_.size(); ++i) queue.insert(queue.begin() + i, waiting_[i]);
  waiting_.clear();
}

void EarlyCharacters::take() {
  if (lastFrame_ == ImGui::GetFrameCount()) return;
  lastFrame_ = ImGui::GetFrameCount();
  --framesLeft_;
  for (const ImWchar character : ImGui::GetIO().InputQueueCharacters) waiting_.push_back(character);
}

void EarlyCharacters::giveTo(ImGuiID field) {
  if (framesLeft_ <= 0) return;
  if (field != 0 && ImGui::GetActiveID() == field)
    framesLeft_ = 0;
  else if (framesLeft_ == 1)
    framesLeft_ = 0, waiting_.clear();
}

}  // namespace stridescope::views
