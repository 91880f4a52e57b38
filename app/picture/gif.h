// A film of pictures as a GIF file, in memory.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "picture/image.h"

namespace stridescope::picture {

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
