// What is in a folder, for a list of files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "shell/file_dialog.h"
#include "support/temporary_folder.h"

namespace stridescope::shell {
namespace {

namespace fs = std::filesystem;

class FolderList : public testing::Test {
 protected:
  void file(const std::string& name) { std::ofstream(folder_.path() / name) << name; }
  std::string path() const { return folder_.path().string(); }
  support::Folder folder_;
};

using Entries = std::vector<FolderEntry>;

TEST_F(FolderList, HasFoldersFirstEachKindByName) {
  file("b.txt"), file("a.txt"), file(".hidden");
  fs::create_directory(folder_.path() / "z");
  fs::create_directory(folder_.path() / "c");
  fs::create_directory_symlink(folder_.path() / "z", folder_.path() / "d");
  fs::create_symlink("nowhere", folder_.path() / "dead");
  const auto listing = listFolder(path(), "");
  ASSERT_TRUE(listing);
  EXPECT_TRUE(listing->isWhole);
  EXPECT_EQ(listing->entries,
            (Entries{{"c", true}, {"d", true}, {"z", true}, {"a.txt"}, {"b.txt"}, {"dead"}}));
}

TEST_F(FolderList, HasHiddenFilesOnlyWhereADotIsTyped) {
  file(".hidden"), file("seen");
  EXPECT_EQ(listFolder(path(), "")->entries, (Entries{{"seen"}}));
  EXPECT_EQ(listFolder(path(), ".")->entries, (Entries{{".hidden"}}));
  EXPECT_EQ(listFolder(path(), "se")->entries, (Entries{{"seen"}}));
}

TEST_F(FolderList, IsBoundedAndSaysSo) {
  for (std::size_t i = 0; i <= kMaxListedEntries; ++i) file("f" + std::to_string(i));
  const auto all = listFolder(path(), "");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->entries.size(), kMaxListedEntries);
  EXPECT_FALSE(all->isWhole);
  EXPECT_TRUE(listFolder(path(), "f19")->isWhole) << "what begins so is found among all of them";
}

TEST_F(FolderList, AFolderThatCannotBeReadIsASentence) {
  const auto none = listFolder(path() + "/none", "");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().sentence,
            "The folder " + path() + "/none cannot be listed: No such file or directory.");
  file("file");
  EXPECT_EQ(listFolder(path() + "/file", "").error().sentence,
            "The folder " + path() + "/file cannot be listed: Not a directory.");
  if (geteuid() == 0) return;  // who may read everything
  fs::create_directory(folder_.path() / "locked");
  fs::permissions(folder_.path() / "locked", fs::perms::none);
  EXPECT_EQ(listFolder(path() + "/locked", "").error().sentence,
            "The folder " + path() + "/locked cannot be listed: Permission denied.");
  fs::permissions(folder_.path() / "locked", fs::perms::owner_all);
}

TEST_F(FolderList, TheHomeFolderIsATilde) {
  const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  setenv("HOME", path().c_str(), 1);
  EXPECT_EQ(withHome("~"), path());
  EXPECT_EQ(withHome("~/a b"), path() + "/a b");
  EXPECT_EQ(withHome("~root/a"), "~root/a");
  EXPECT_EQ(withHome("a/~"), "a/~");
  EXPECT_EQ(withHome(""), "");
  unsetenv("HOME");
  EXPECT_EQ(withHome("~/a"), "~/a");
  setenv("HOME", home.c_str(), 1);
}

TEST_F(FolderList, IsReadBesideWhoeverAsks) {
  file("a.txt");
  const FolderReader reader(path(), "");
  for (int tries = 0; tries < 2000 && !reader.answer(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto answer = reader.answer();
  ASSERT_TRUE(answer && *answer);
  EXPECT_EQ((*answer)->entries, (Entries{{"a.txt"}}));
}

}  // namespace
}  // namespace stridescope::shell
