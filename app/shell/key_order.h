// Chords that are pressed and released between two frames.
#pragma once

#include <vector>

#include "imgui.h"
#include "imgui_internal.h"

namespace stridescope {

// Dear ImGui takes all that came in since the last frame together, up to the second change of one key. So
// when Ctrl is let go before P is, and both went down since the last frame, the frame sees P without Ctrl:
// the chord is lost. This keeps everything from the first modifier that goes up after another key went down
// for the next frame.
class EarlyReleases {
 public:
  // Right before each NewFrame. True if something is kept: another frame is due.
  bool hold(ImVector<ImGuiInputEvent>& queue);

  // Right after it, before new events come in.
  void restore(ImVector<ImGuiInputEvent>& queue);

 private:
  std::vector<ImGuiInputEvent> kept_;
};

}  // namespace stridescope
