#include "shell/png.h"

#include <stb_image_write.h>

#include <string>

#include "base/pending_file.h"

namespace stridescope::shell {
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
  auto file = PendingFile::create(path, true);
  if (!file) return tl::unexpected(file.error());
  if (const auto written = file->write(encoded); !written) return tl::unexpected(written.error());
  if (const auto published = file->publish(); !published) return tl::unexpected(published.error());
  return {};
}

}  // namespace stridescope::shell
