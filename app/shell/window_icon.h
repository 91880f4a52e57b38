// The window's icon: two operands, the thread that adds them, their result.
#pragma once

#include "shell/image.h"

namespace stridescope::shell {

// A square of `size` pixels, 16 or more; transparent outside the rounded ground.
Image windowIcon(int size);

}  // namespace stridescope::shell
