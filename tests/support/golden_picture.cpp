#include "support/golden_picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "shell/graphics_context.h"
#include "support/picture_compare.h"

namespace stridescope::support {
namespace {

constexpr int kTolerance = 2;  // levels
constexpr int kPixelsPerStray = 1000;

}  // namespace

void expectGoldenPicture(const shell::Image& picture, const std::filesystem::path& folder,
                         const std::string& name) {
  const std::filesystem::path golden = folder / (name + ".png");
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(shell::writePng(golden, picture));
    return;
  }
  const PictureDifference difference = comparePictures(picture, readPng(golden), kTolerance);
  const int strays = picture.size.width * picture.size.height / kPixelsPerStray;
  if (difference.sameSize && difference.pixelsBeyond <= strays) return;
  const auto seen = std::filesystem::temp_directory_path() / ("seen-" + name + ".png");
  (void)shell::writePng(seen, picture);
  ADD_FAILURE() << name << ": " << difference.pixelsBeyond << " pixels differ by up to "
                << difference.greatest << " levels; seen: " << seen << ", expected: " << golden;
}

}  // namespace stridescope::support
