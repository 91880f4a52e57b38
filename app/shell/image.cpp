#include "shell/image.h"

#include <algorithm>

#include "base/pending_file.h"
#include "picture/image.h"

namespace stridescope::shell {

Image cropped(const Image& image, ImVec2 min, ImVec2 max) {
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

Result<void> writePng(const std::filesystem::path& path, const Image& image, bool overwrite) {
  const auto encoded = picture::pngOf(image);
  if (!encoded) return tl::unexpected(encoded.error());
  if (const auto written = writeWhole(path, *encoded, overwrite); !written)
    return tl::unexpected(written.error());
  return {};
}

}  // namespace stridescope::shell
