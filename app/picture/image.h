// A picture in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace stridescope::picture {

struct PixelSize {
  int width = 0, height = 0;
  bool operator==(const PixelSize&) const = default;
};

struct Image {
  PixelSize size;
  std::vector<std::uint8_t> rgba;  // width * height * 4, rows from the top, opacity 255
};

}  // namespace stridescope::picture
