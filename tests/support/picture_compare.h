// Pictures held against each other.
#pragma once

#include <filesystem>
#include <string>

#include "shell/graphics_context.h"

namespace stridescope::support {

struct PictureDifference {
  bool sameSize = false;
  int greatest = 0;      // in any channel of any pixel, 0 ... 255
  int pixelsBeyond = 0;  // pixels with a channel that differs by more than the tolerance
};

PictureDifference comparePictures(const shell::Image& first, const shell::Image& second, int tolerance);

// A PNG file's picture; without pixels if it cannot be read.
shell::Image readPng(const std::filesystem::path& path);

// The colour of a pixel, as 0xRRGGBB.
unsigned pixelAt(const shell::Image& image, int x, int y);

}  // namespace stridescope::support
