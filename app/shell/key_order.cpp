#include "shell/key_order.h"

namespace stridescope {
namespace {

bool isModifier(ImGuiKey key) {
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) ||
         (key >= ImGuiKey_ReservedForModCtrl && key <= ImGuiKey_ReservedForModSuper);
}

bool isKey(const ImGuiInputEvent& event, bool down) {
  return event.Type == ImGuiInputEventType_Key && event.Key.Down == down;
}

}  // namespace

bool EarlyReleases::hold(ImVector<ImGuiInputEvent>& queue) {
  bool pressed = false;
  for (int i = 0; i < queue.Size; ++i) {
    const ImGuiInputEvent& event = queue[i];
    if (isKey(event, true) && !isModifier(event.Key.Key)) pressed = true;
    if (!pressed || !isKey(event, false) || !isModifier(event.Key.Key)) continue;
    kept_.assign(queue.begin() + i, queue.end());
    queue.resize(i);
    return true;
  }
  return false;
}

void EarlyReleases::restore(ImVector<ImGuiInputEvent>& queue) {
  for (const ImGuiInputEvent& event : kept_) queue.push_back(event);
  kept_.clear();
}

}  // namespace stridescope
