// Files of pictures, in memory: PNG, and GIF for films.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "picture/image.h"

namespace stridescope::picture {

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
