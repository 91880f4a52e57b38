#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "shell/graphics_context.h"
#include "support/picture_compare.h"

namespace stridescope::shell {
namespace {

class Png : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("stridescope-png-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

Image smallImage() {
  Image image{{5, 3}, {}};
  for (int i = 0; i < 5 * 3; ++i) {
    for (const int channel : {i, 2 * i, 255 - i, 255})
      image.rgba.push_back(static_cast<std::uint8_t>(channel));
  }
  return image;
}

TEST_F(Png, ComesBackAsItWas) {
  ASSERT_TRUE(writePng(folder_ / "a.png", smallImage()));
  const support::PictureDifference difference =
      support::comparePictures(support::readPng(folder_ / "a.png"), smallImage(), 0);
  EXPECT_TRUE(difference.sameSize);
  EXPECT_EQ(difference.greatest, 0);
}

TEST_F(Png, LeavesOnlyTheFileItWasAskedFor) {
  ASSERT_TRUE(writePng(folder_ / "a.png", smallImage()));
  ASSERT_TRUE(writePng(folder_ / "a.png", smallImage())) << "over an older one";
  const auto refused = writePng(folder_ / "a.png", smallImage(), false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, ErrorCause::ExistingFile);
  std::filesystem::create_symlink("a.png", folder_ / "link.png");
  ASSERT_TRUE(writePng(folder_ / "link.png", smallImage()));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.png"));
  std::filesystem::remove(folder_ / "link.png");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 1);
}

TEST_F(Png, SaysWhereItCouldNotWrite) {
  const auto written = writePng(folder_ / "nowhere" / "a.png", smallImage());
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().sentence.find("nowhere' does not exist"), std::string::npos);
  ASSERT_EQ(mkfifo((folder_ / "pipe.png").c_str(), 0600), 0);
  EXPECT_FALSE(writePng(folder_ / "pipe.png", smallImage())) << "it would take the pipe's place";
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe.png"));
  std::filesystem::remove(folder_ / "pipe.png");
  std::filesystem::create_directories(folder_ / "taken.png");
  EXPECT_FALSE(writePng(folder_ / "taken.png", smallImage())) << "a folder has the name";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "no half file stays";
  EXPECT_FALSE(writePng(folder_ / "empty.png", Image{}));
}

}  // namespace
}  // namespace stridescope::shell
