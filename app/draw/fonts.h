// The window's typefaces. Sizes are the em's, in pixels, and a line of text is as high as its em.
#pragma once

struct ImFont;

namespace stridescope::draw {

// None is null while a frame is drawn: a face that is missing falls back to another.
struct Fonts {
  ImFont* words = nullptr;          // Inter Regular
  ImFont* wordsSemiBold = nullptr;  // Inter SemiBold
  ImFont* wordsBold = nullptr;      // Inter Bold
  ImFont* code = nullptr;           // JetBrains Mono Regular: code, figures, indices
  ImFont* codeBold = nullptr;       // JetBrains Mono Bold
};

}  // namespace stridescope::draw
