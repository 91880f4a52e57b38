// Characters that are typed before the field that they are for can take them: Dear ImGui opens a list, and
// gives its field the keyboard, some frames after the key that asked for it.
#pragma once

#include <vector>

#include "imgui.h"

namespace stridescope::views {

class EarlyCharacters {
 public:
  // The characters of this frame are the first that count.
  void begin();
  // In each frame, before the field is drawn: keeps those of this one, too, until the field has the keyboard;
  // then the field is given all that were kept, before those of this frame.
  void keep();
  // After the field: it may have the keyboard now, and takes characters from the next frame on.
  void giveTo(ImGuiID field);

 private:
  void take();

  std::vector<ImWchar> waiting_;
  int lastFrame_ = -1;  // whose characters are kept
  int framesLeft_ = 0;  // until nothing is waited for any more
};

}  // namespace stridescope::views
