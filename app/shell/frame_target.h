// Memory that OpenGL draws into in place of a window.
#pragma once

#include "base/result.h"
#include "imgui.h"
#include "shell/image.h"

namespace stridescope::shell {

// Belongs to the current context.
class FrameTarget {
 public:
  FrameTarget() = default;
  FrameTarget(const FrameTarget&) = delete;
  FrameTarget& operator=(const FrameTarget&) = delete;
  ~FrameTarget();

  // Errors: larger than this machine's OpenGL draws, no memory for it.
  Result<void> create(PixelSize size);

  // Clears it to `ground` and draws the frame. Another target is bound afterwards as it was before.
  void draw(ImDrawData& data, ImU32 ground) const;
  Image read() const;

 private:
  PixelSize size_;
  unsigned framebuffer_ = 0, texture_ = 0;
};

}  // namespace stridescope::shell
