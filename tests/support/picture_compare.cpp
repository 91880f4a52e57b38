#include "support/picture_compare.h"

#include <stb_image.h>

#include <algorithm>
#include <cstdlib>

namespace stridescope::support {

PictureDifference comparePictures(const shell::Image& first, const shell::Image& second, int tolerance) {
  PictureDifference difference;
  difference.sameSize = first.size == second.size && first.rgba.size() == second.rgba.size();
  if (!difference.sameSize) return difference;
  for (std::size_t pixel = 0; pixel < first.rgba.size(); pixel += 4) {
    int here = 0;
    for (std::size_t channel = pixel; channel < pixel + 4; ++channel) {
      here = std::max(here, std::abs(int{first.rgba[channel]} - int{second.rgba[channel]}));
    }
    difference.greatest = std::max(difference.greatest, here);
    if (here > tolerance) ++difference.pixelsBeyond;
  }
  return difference;
}

shell::Image readPng(const std::filesystem::path& path) {
  shell::Image image;
  int channels = 0;
  unsigned char* pixels = stbi_load(path.c_str(), &image.size.width, &image.size.height, &channels, 4);
  if (pixels == nullptr) return {};
  const auto bytes =
      static_cast<std::size_t>(image.size.width) * static_cast<std::size_t>(image.size.height) * 4;
  image.rgba.assign(pixels, pixels + bytes);
  stbi_image_free(pixels);
  return image;
}

unsigned pixelAt(const shell::Image& image, int x, int y) {
  const auto at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.size.width) +
                   static_cast<std::size_t>(x)) *
                  4;
  return static_cast<unsigned>(image.rgba[at] << 16 | image.rgba[at + 1] << 8 | image.rgba[at + 2]);
}

}  // namespace stridescope::support
