// Pictures in memory, and their files there: PNG, and GIF for films.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"

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

// PNG files, in memory.

// Every pixel as it is. Errors: no pixels, no memory.
Result<std::string> pngOf(const Image& image);

// With a palette: a third of the size, or less.
Result<std::string> pngOf(const IndexedImage& image);

// A film of pictures as a GIF file, in memory.

// Goes on from the start when it is at its end. Each picture keeps the colours of what it has in common with
// the one before, and adds a palette of its own for what is new.
class GifWriter {
 public:
  static Result<GifWriter> create(PixelSize size);  // 1 to 65535 either way
  GifWriter(GifWriter&& other) noexcept;
  GifWriter& operator=(GifWriter&&) = delete;
  ~GifWriter();

  // Adds a picture that is shown for so many hundredths of a second. It must have the size that was given.
  Result<void> add(const Image& picture, unsigned hundredths);

  // The file. Nothing can be added after it.
  Result<std::string> finish();

 private:
  struct Film;
  explicit GifWriter(std::unique_ptr<Film> film);
  std::unique_ptr<Film> film_;
};

}  // namespace stridescope::picture
