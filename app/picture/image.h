// A picture in memory.
#pragma once

#include <cstdint>
#include <unordered_map>
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

// Pictures of few colours: a palette, and one byte for each pixel.

// 0xRRGGBB.
using Colour = std::uint32_t;
inline Colour colourAt(const Image& image, std::size_t pixel) {
  const std::uint8_t* const bytes = image.rgba.data() + pixel * 4;
  return Colour(bytes[0]) << 16 | Colour(bytes[1]) << 8 | Colour(bytes[2]);
}

// How many pixels have each colour.
using Histogram = std::unordered_map<Colour, std::uint32_t>;

struct Palette {
  std::vector<Colour> colours;                         // at most as many as asked for
  std::unordered_map<Colour, std::uint8_t> placeOf{};  // for every colour of the histogram
};

// A palette keeps up to `most` colours (1 to 256) as they are. If there are more, colours near each other
// share the one that most pixels have: what fills areas stays as it is, edges of letters are rounded.
Palette paletteOf(const Histogram& histogram, unsigned most = 256);

struct IndexedImage {
  PixelSize size;
  std::vector<std::uint8_t> pixels;  // places in the palette, rows from the top
  std::vector<Colour> colours;
};
IndexedImage indexed(const Image& image, unsigned most = 256);

}  // namespace stridescope::picture
