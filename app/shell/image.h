// A picture in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "imgui.h"

namespace stridescope::shell {

struct PixelSize {
  int width = 0, height = 0;
  bool operator==(const PixelSize&) const = default;
};

struct Image {
  PixelSize size;
  std::vector<std::uint8_t> rgba;  // width * height * 4, rows from the top, opacity 255
};

// The part from `min` to `max`, pixels; what lies outside the image is left out.
inline Image cropped(const Image& image, ImVec2 min, ImVec2 max) {
  const int left = std::clamp(int(min.x), 0, image.size.width),
            top = std::clamp(int(min.y), 0, image.size.height);
  const int right = std::clamp(int(max.x), left, image.size.width),
            bottom = std::clamp(int(max.y), top, image.size.height);
  Image part{{right - left, bottom - top}, {}};
  for (int y = top; y < bottom; ++y) {
    const auto row = image.rgba.begin() + (std::ptrdiff_t(y) * image.size.width + left) * 4;
    part.rgba.insert(part.rgba.end(), row, row + std::ptrdiff_t(part.size.width) * 4);
  }
  return part;
}

}  // namespace stridescope::shell
