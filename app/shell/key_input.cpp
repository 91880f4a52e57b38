#include "shell/key_input.h"

#include <algorithm>
#include <cfloat>
#include <limits>
#include <map>
#include <utility>

#include "imgui_internal.h"

namespace stridescope::shell {
namespace {

bool isModifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) ||
         (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper);
}

bool isKey(const ImGuiInputEvent& event, bool down) {
  return event.Type == ImGuiInputEventType_Key && event.Key.Down == down;
}

bool isMouse(ImGuiKey key) { return key >= ImGuiKey_MouseLeft && key <= ImGuiKey_MouseWheelY; }

}  // namespace

void KeyInput::beginFrame(ImVector<ImGuiInputEvent>& queue, ImGuiKeyChord modifiers, bool fold) {
  typed_ = std::exchange(coming_, {});
  presses_.clear();
  if (fold) foldPresses(queue, modifiers);
  holdEarlyReleases(queue);
}

void KeyInput::foldPresses(ImVector<ImGuiInputEvent>& queue, ImGuiKeyChord modifiers) {
  struct Press {
    int down = -1, up = -1;  // places in the queue
    ImGuiKeyChord chord = 0;
  };
  std::map<ImGuiKey, Press> last;  // under the same modifiers
  std::vector<ImGuiKeyChord> all, left;
  std::vector<int> gone;
  for (int i = 0; i < queue.Size; ++i) {
    if (queue[i].Type != ImGuiInputEventType_Key) continue;
    const ImGuiKey key = queue[i].Key.Key;
    const bool down = queue[i].Key.Down;
    if (isModifier(key)) {
      for (const auto& [each, press] : last)
        if (press.down >= 0) left.push_back(press.chord);
      last.clear();
      const auto chord = ImGuiKeyChord(key) & ImGuiMod_Mask_;
      modifiers = down ? modifiers | chord : modifiers & ~chord;
      continue;
    }
    if (isMouse(key)) continue;
    Press& press = last[key];
    if (!down) {
      if (press.down >= 0) press.up = i;
      continue;
    }
    all.push_back(modifiers | key);
    if (press.up >= 0) gone.insert(gone.end(), {press.down, press.up});
    press = {.down = i, .up = -1, .chord = modifiers | key};
  }
  if (gone.empty()) return;
  for (const auto& [each, press] : last)
    if (press.down >= 0) left.push_back(press.chord);
  // What waits in the queue from the last frame was counted then.
  for (const ImGuiKeyChord chord : all)
    if (!hadBefore(chord)) presses_.push_back(chord);
  for (const ImGuiKeyChord chord : left) ++ahead_[chord];
  std::ranges::sort(gone, std::greater());
  for (const int place : gone) queue.erase(queue.begin() + place);
}

void KeyInput::holdEarlyReleases(ImVector<ImGuiInputEvent>& queue) {
  bool pressed = false;
  for (int i = 0; i < queue.Size; ++i) {
    const ImGuiInputEvent& event = queue[i];
    if (isKey(event, true) && !isModifier(event.Key.Key)) pressed = true;
    if (!pressed || !isKey(event, false) || !isModifier(event.Key.Key)) continue;
    kept_.assign(queue.begin() + i, queue.end());
    queue.resize(i);
    return;
  }
}

void KeyInput::restore(ImVector<ImGuiInputEvent>& queue) {
  for (const ImGuiInputEvent& event : kept_) queue.push_back(event);
  kept_.clear();
}

bool KeyInput::hadBefore(ImGuiKeyChord chord) {
  const auto waiting = ahead_.find(chord);
  if (waiting == ahead_.end()) return false;
  if (--waiting->second <= 0) ahead_.erase(waiting);
  return true;
}

bool KeyInput::isPressed(ImGuiKeyChord chord, bool repeats) {
  const ImGuiInputFlags flags = repeats ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None;
  if (!ImGui::IsKeyChordPressed(chord, flags, ImGuiKeyOwner_Any)) return false;
  const bool first = ImGui::IsKeyChordPressed(chord, ImGuiInputFlags_None, ImGuiKeyOwner_Any);
  return !first || !hadBefore(chord);
}

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
  // What the frame before wanted is known to NewFrame alone: this would forget the field that takes text.
  const bool wantsText = io.WantTextInput;
  ImGui::UpdateHoveredWindowAndCaptureFlags(place);
  io.WantTextInput = wantsText;
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
