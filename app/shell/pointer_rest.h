// A pointer that nobody moves is not pointing: what happens to lie under it is not hovered.
#pragma once

#include <optional>

#include "imgui.h"

namespace stridescope::shell {

class PointerRest {
 public:
  // Right after NewFrame of the current Dear ImGui context, `now` in seconds of a clock that only goes
  // forward. `hasMoved`: at any time since the window was opened. A pointer that rests is nowhere
  // (ImGuiIO::MousePos is not valid) until it moves to another place, a button is pressed, or the wheel
  // turns.
  void beginFrame(double now, bool hasMoved);

  // From the next frame on it rests, wherever it is.
  void rest() { asked_ = true; }
  // It rests whenever it has not moved for so many seconds; nullopt: however long it stays.
  void restAfter(std::optional<double> seconds) { after_ = seconds; }

  bool rests() const { return rests_; }
  // It began to rest in this frame.
  bool hasComeToRest() const { return rests_ && !restedBefore_; }
  // Seconds from the last beginFrame() until it rests by itself; infinite: it will not.
  double restsIn() const;

 private:
  std::optional<ImVec2> seen_;  // where it was last, resting or not
  std::optional<double> after_;
  double now_ = 0, usedAt_ = 0;
  bool rests_ = false, restedBefore_ = false, asked_ = false;
  bool begun_ = false;  // it has moved since the window was opened, or was used without that
};

}  // namespace stridescope::shell
