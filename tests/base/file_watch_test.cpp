#include "base/file_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>

namespace stridescope {
namespace {

class FileWatches : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path file(const char* name) const { return folder_ / name; }
  static void write(const std::filesystem::path& path, const char* text) { std::ofstream(path) << text; }
  // More than `before` changes were told within five seconds.
  bool isTold(int before) const {
    for (int i = 0; i < 500 && told_ <= before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return told_ > before;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("stridescope-watch-" + std::to_string(getpid()));
  std::atomic<int> told_ = 0;
};

TEST_F(FileWatches, TellWhenAFileIsWrittenReplacedOrRemoved) {
  write(file("a"), "1");
  const FileWatch watch({file("a"), file("b")}, [&] { ++told_; });
  int before = told_;
  write(file("a"), "22");
  EXPECT_TRUE(isTold(before)) << "written";
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  before = told_;
  write(file("new"), "33");  // of the same size
  std::filesystem::rename(file("new"), file("a"));
  EXPECT_TRUE(isTold(before)) << "replaced";
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  before = told_;
  write(file("b"), "1");
  EXPECT_TRUE(isTold(before)) << "made";
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  before = told_;
  std::filesystem::remove(file("a"));
  EXPECT_TRUE(isTold(before)) << "removed";
}

TEST_F(FileWatches, TellNothingOfOtherFilesAndEndAtOnce) {
  write(file("a"), "1");
  const auto begin = std::chrono::steady_clock::now();
  {
    const FileWatch watch({file("a")}, [&] { ++told_; });
    write(file("other"), "1");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
  EXPECT_EQ(told_, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(450));
}

TEST_F(FileWatches, FolderThatIsNotThereIsNoHarm) {
  const FileWatch watch({folder_ / "none" / "a"}, [&] { ++told_; });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(told_, 0);
}

}  // namespace
}  // namespace stridescope
