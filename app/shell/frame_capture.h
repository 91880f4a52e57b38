// A part of the frame that is being drawn, as a picture, from whatever it is drawn into.
#pragma once

#include "imgui.h"
#include "shell/image.h"

namespace stridescope::shell {

// Made between the drawing of the frame's contents and ImGui::Render; lives until the frame is shown.
class FrameCapture {
 public:
  // `min`, `max`: in Dear ImGui's coordinates; clipped to the window.
  FrameCapture(ImVec2 min, ImVec2 max);
  FrameCapture(const FrameCapture&) = delete;
  FrameCapture& operator=(const FrameCapture&) = delete;

  // Empty where nothing was drawn, or outside the window.
  const Image& picture() const { return picture_; }

 private:
  static void read(const ImDrawList* list, const ImDrawCmd* command);

  ImVec2 min_, max_;
  Image picture_;
};

}  // namespace stridescope::shell
