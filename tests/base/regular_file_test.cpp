// Whatever stands under a file's name: it is read, or a sentence says at once why not.
#include "base/regular_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "support/temporary_folder.h"

namespace stridescope::base_test {
namespace {

using support::Folder;

std::string sentenceOf(const std::filesystem::path& path, std::uint64_t mostBytes = 1 << 20) {
  const auto read = readRegularFile(path, "a file of numbers", mostBytes);
  return read ? "read: " + *read : read.error().sentence;
}

TEST(RegularFile, IsReadWhole) {
  const Folder folder;
  for (const std::size_t bytes : {0u, 1u, 65'535u, 65'536u, 65'537u, 300'000u}) {
    const std::string content(bytes, 'x');
    support::writeContents(folder / "file", content);
    EXPECT_EQ(readRegularFile(folder / "file", "a file", 300'000).value_or("nothing"), content);
  }
  std::filesystem::create_symlink("file", folder / "link");
  EXPECT_EQ(readRegularFile(folder / "link", "a file", 300'000)->size(), 300'000u);
}

// The kernel's own files have no size.
TEST(RegularFile, IsReadToItsEndWhateverItsSize) {
  EXPECT_NE(sentenceOf("/proc/self/maps").find("[stack]"), std::string::npos);
  EXPECT_NE(sentenceOf("/proc/self/maps", 100).find("too large"), std::string::npos);
}

TEST(Descriptors, AreReadToTheirEnd) {
  for (const std::size_t bytes : {0u, 5u, 60'000u}) {  // what a pipe holds
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const Descriptor from(ends[0]);
    ASSERT_EQ(::write(ends[1], std::string(bytes, 'x').data(), bytes), ssize_t(bytes));
    ::close(ends[1]);
    EXPECT_EQ(readToEnd(from.number(), "standard input", 60'000).value_or("nothing"),
              std::string(bytes, 'x'));
  }
}

TEST(Descriptors, ThatGiveTooMuchOrNothingAreToldOf) {
  const Descriptor zeros(::open("/dev/zero", O_RDONLY)), folder(::open("/", O_RDONLY));
  EXPECT_EQ(readToEnd(zeros.number(), "standard input", 1 << 20).error().sentence,
            "There is too much in standard input: at most 1024 KiB are read. Give it less.");
  EXPECT_EQ(readToEnd(folder.number(), "standard input", 1 << 20).error().sentence,
            "What is in standard input cannot be read: Is a directory.");
}

TEST(RegularFile, WhatIsNoneIsNamedAndNotOpened) {
  const Folder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);  // nobody writes to it: reading would never end
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  (folder / "socket").native().copy(address.sun_path, sizeof address.sun_path - 1);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  ASSERT_EQ(::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  std::filesystem::create_symlink("pipe", folder / "link");

  const std::string end = ", not a file of numbers.";
  EXPECT_EQ(sentenceOf(folder / "pipe"), "'" + (folder / "pipe").native() + "' is a named pipe" + end);
  EXPECT_EQ(sentenceOf(folder / "link"), "'" + (folder / "link").native() + "' is a named pipe" + end);
  EXPECT_EQ(sentenceOf(folder / "socket"), "'" + (folder / "socket").native() + "' is a socket" + end);
  EXPECT_EQ(sentenceOf(folder.path()), "'" + folder.path().native() + "' is a folder" + end);
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/full"})
    EXPECT_EQ(sentenceOf(device), "'" + std::string(device) + "' is a device" + end);
}

TEST(RegularFile, WhatIsNotThereIsToldOf) {
  const Folder folder;
  support::writeContents(folder / "file", "x");
  EXPECT_NE(sentenceOf(folder / "none").find("There is no file"), std::string::npos);
  EXPECT_NE(sentenceOf(folder / "file/below").find("There is no file"), std::string::npos);
  EXPECT_NE(sentenceOf(std::string("a\0b", 3)).find("There is no file"), std::string::npos);
  std::filesystem::create_symlink("itself", folder / "itself");
  EXPECT_NE(sentenceOf(folder / "itself").find("cannot be read"), std::string::npos);
}

TEST(RegularFile, ALargeOneTakesNoMemory) {
  const Folder folder;
  support::writeContents(folder / "file", "12");
  EXPECT_NE(sentenceOf(folder / "file", 1).find("too large"), std::string::npos);
  EXPECT_EQ(sentenceOf(folder / "file", 2), "read: 12");
  std::filesystem::resize_file(folder / "file", 1ull << 40);  // nearly all of it a hole
  EXPECT_NE(sentenceOf(folder / "file").find("too large: at most 1024 KiB"), std::string::npos);
}

}  // namespace
}  // namespace stridescope::base_test
