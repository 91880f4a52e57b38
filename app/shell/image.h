// A part of a picture, and pictures as PNG files.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "imgui.h"
#include "picture/image.h"

namespace stridescope::shell {

using picture::Image;
using picture::PixelSize;

// The part from `min` to `max`, pixels; what lies outside the image is left out.
Image cropped(const Image& image, ImVec2 min, ImVec2 max);

// Writes `image` as a PNG. The file is written under another name beside `path` and renamed, so that whoever
// waits for it never reads half a picture; an older file of that name is replaced.
Result<void> writePng(const std::filesystem::path& path, const Image& image, bool overwrite = true);

}  // namespace stridescope::shell
