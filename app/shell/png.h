// Writing pictures to files.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "shell/image.h"

namespace stridescope::shell {

// Writes `image` as a PNG. The file is written under another name beside `path` and renamed, so that whoever
// waits for it never reads half a picture; an older file of that name is replaced.
Result<void> writePng(const std::filesystem::path& path, const Image& image);

}  // namespace stridescope::shell
