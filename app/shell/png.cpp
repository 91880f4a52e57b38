#include "shell/png.h"

#include <stb_image_write.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <system_error>

namespace stridescope {
namespace {

void append(void* target, void* bytes, int count) {
  static_cast<std::string*>(target)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(count));
}

}  // namespace

Result<void> writePng(const std::filesystem::path& path, const Image& image) {
  std::string encoded;
  if (image.size.width < 1 || image.size.height < 1 ||
      stbi_write_png_to_func(append, &encoded, image.size.width, image.size.height, 4, image.rgba.data(),
                             image.size.width * 4) == 0) {
    return unavailable("The picture for " + path.string() +
                       " could not be encoded: it has no pixels or memory ran out.");
  }
  std::filesystem::path partial = path;
  partial += ".part-" + std::to_string(getpid());
  std::ofstream file(partial, std::ios::binary);
  file.write(encoded.data(), static_cast<std::streamsize>(encoded.size()));
  file.close();
  std::error_code error;
  if (!file.fail()) {
    std::filesystem::rename(partial, path, error);
    if (!error) return {};
  }
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  return unavailable(
      "The picture could not be written to " + path.string() +
          ". Check that the folder is there, that you may write in it, and that the disk is not full.",
      error ? error.message() : std::string());
}

}  // namespace stridescope
