// What a window shows, kept in memory where a frame can be drawn in parts.
#pragma once

#include "picture/image.h"
#include "shell/frame_content.h"

namespace stridescope::shell {

// Belongs to the current context. It stands upside down and has the bytes of a pixel in a window's order: so
// Mesa, which draws without a GPU, copies it to the window as it is.
class KeptPicture {
 public:
  KeptPicture() = default;
  KeptPicture(const KeptPicture&) = delete;
  KeptPicture& operator=(const KeptPicture&) = delete;
  ~KeptPicture();

  // Whether there is one of this size; a new one has no picture yet.
  bool hasSize(picture::PixelSize size);

  // Clears the parts to `ground`, draws what of the frame lies in them, and copies all of it into the
  // window's back buffer.
  void draw(ImDrawData& data, ImU32 ground, const FrameParts& parts) const;

 private:
  void free();

  picture::PixelSize size_;
  unsigned framebuffer_ = 0, texture_ = 0;
};

}  // namespace stridescope::shell
