// A folder of files: all of them, or none; what was there stays unless it was to be replaced.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/pending_file.h"
#include "support/temporary_folder.h"

namespace stridescope::base_test {
namespace {

using support::contentsOf;
using support::Folder;
using support::writeContents;

Result<std::monostate> write(const std::filesystem::path& target, bool overwrite) {
  auto folder = PendingFolder::create(target, overwrite);
  if (!folder) return tl::unexpected(folder.error());
  if (auto added = folder->add("a", "one"); !added) return added;
  if (auto added = folder->add("b", "two"); !added) return added;
  return folder->publish();
}

TEST(PendingFolder, IsMadeWithAllItsFiles) {
  const Folder place;
  ASSERT_TRUE(write(place / "new", false));
  EXPECT_EQ(contentsOf(place / "new" / "a"), "one");
  EXPECT_EQ(contentsOf(place / "new" / "b"), "two");
  EXPECT_EQ(place.fileCount(), 1u) << "and nothing beside it";
  const mode_t mask = ::umask(0);
  ::umask(mask);
  struct stat made {};
  ASSERT_EQ(::stat((place / "new").c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 0777, 0777 & ~mask) << "others may read it as they may any folder";
}

TEST(PendingFolder, TakesTheNameWithASlashAndAnEmptyFolder) {
  const Folder place;
  std::filesystem::create_directory(place / "empty");
  ASSERT_TRUE(write((place / "empty").native() + "/", false));
  EXPECT_EQ(contentsOf(place / "empty" / "b"), "two");
  EXPECT_EQ(place.fileCount(), 1u);
}

TEST(PendingFolder, LeavesNothingWhereItIsNotPublished) {
  const Folder place;
  {
    auto folder = PendingFolder::create(place / "new", false);
    ASSERT_TRUE(folder && folder->add("a", "one"));
  }
  EXPECT_EQ(place.fileCount(), 0u);
}

TEST(PendingFolder, WritesIntoAFolderThatIsNotEmptyOnlyIfItMay) {
  const Folder place;
  std::filesystem::create_directory(place / "old");
  writeContents(place / "old" / "a", "before");
  writeContents(place / "old" / "c", "kept");
  const auto refused = write(place / "old", false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().cause, ErrorCause::ExistingFile);
  EXPECT_NE(refused.error().sentence.find("is not empty"), std::string::npos);
  EXPECT_EQ(contentsOf(place / "old" / "a"), "before");
  {
    auto folder = PendingFolder::create(place / "old", true);
    ASSERT_TRUE(folder && folder->add("a", "one"));
    EXPECT_EQ(contentsOf(place / "old" / "a"), "before") << "until all are written";
  }
  EXPECT_EQ(contentsOf(place / "old" / "a"), "before") << "it was given up";
  ASSERT_TRUE(write(place / "old", true));
  EXPECT_EQ(contentsOf(place / "old" / "a"), "one");
  EXPECT_EQ(contentsOf(place / "old" / "c"), "kept");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place / "old"), {}), 3);
}

TEST(PendingFolder, SaysWhyItCannotBe) {
  const Folder place;
  writeContents(place / "file", "x");
  const auto sentenceOf = [](const std::filesystem::path& target) {
    const auto folder = PendingFolder::create(target, true);
    return folder ? std::string() : folder.error().sentence;
  };
  EXPECT_NE(sentenceOf(place / "file").find("is no folder"), std::string::npos);
  EXPECT_NE(sentenceOf(place / "file" / "new").find("is not a folder"), std::string::npos);
  EXPECT_NE(sentenceOf(place / "none" / "new").find("does not exist"), std::string::npos);
  EXPECT_NE(sentenceOf("").find("not the name of a folder"), std::string::npos);
}

}  // namespace
}  // namespace stridescope::base_test
