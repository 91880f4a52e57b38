// PNG files, in memory.
#pragma once

#include <string>

#include "base/result.h"
#include "picture/palette.h"

namespace stridescope::picture {

// Every pixel as it is. Errors: no pixels, no memory.
Result<std::string> pngOf(const Image& image);

// With a palette: a third of the size, or less.
Result<std::string> pngOf(const IndexedImage& image);

}  // namespace stridescope::picture
