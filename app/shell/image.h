// A picture in memory, and as a PNG file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/result.h"
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
Image cropped(const Image& image, ImVec2 min, ImVec2 max);

// Writes `image` as a PNG. The file is written under another name beside `path` and renamed, so that whoever
// waits for it never reads half a picture; an older file of that name is replaced.
Result<void> writePng(const std::filesystem::path& path, const Image& image, bool overwrite = true);

}  // namespace stridescope::shell
