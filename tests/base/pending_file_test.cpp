// Files and folders that are written whole or not at all, and what killed runs left of them.
#include "base/pending_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <functional>
#include <thread>
#include <vector>

#include "base/process.h"
#include "support/temporary_folder.h"

namespace stridescope::base_test {
namespace {

using support::contentsOf;
using support::Folder;
using support::writeContents;

// A process that makes a file and a folder, with something in it, and is then killed where it stands.
class OtherRun {
 public:
  explicit OtherRun(const std::filesystem::path& folder) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) std::abort();
    process_ = ::fork();
    if (process_ == 0) {
      const auto file = makeTemporaryFile(folder), place = makeTemporaryFolder(folder);
      std::filesystem::create_directory(place.path / "sub");
      support::writeContents(place.path / "sub" / "file", "x");
      (void)!::write(pipe[1], "x", 1);
      while (true) ::pause();
    }
    char ready = 0;
    if (::read(pipe[0], &ready, 1) != 1) std::abort();
    ::close(pipe[0]), ::close(pipe[1]);
  }
  ~OtherRun() { kill(); }
  void kill() {
    if (process_ == 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
  }

 private:
  pid_t process_ = 0;
};

TEST(TemporaryEntry, StaysWhileItsRunLivesAndIsSweptAfterIt) {
  const Folder folder;
  OtherRun other(folder.path());
  EXPECT_EQ(folder.fileCount(), 2u);
  sweepTemporaries(folder.path());
  EXPECT_EQ(folder.fileCount(), 2u) << "it is in use";
  other.kill();
  sweepTemporaries(folder.path());
  EXPECT_EQ(folder.fileCount(), 0u);
}

TEST(TemporaryEntry, WritingSweepsTheFolderItWritesTo) {
  const Folder folder;
  OtherRun(folder.path()).kill();
  EXPECT_EQ(folder.fileCount(), 2u);
  auto file = PendingFile::create(folder / "new", false);
  ASSERT_TRUE(file);
  EXPECT_EQ(folder.fileCount(), 1u);
  ASSERT_TRUE(file->write("text") && file->publish());
  EXPECT_EQ(support::contentsOf(folder / "new"), "text");
  EXPECT_EQ(folder.fileCount(), 1u);
}

[[noreturn]] void endAmidFiles(const Folder& folder) {
  auto whole = PendingFile::create(folder / "whole", false);
  auto begun = PendingFile::create(folder / "begun", false);
  if (!whole->write("text") || !whole->publish() || !begun->write("te")) std::abort();
  const TemporaryEntry place = makeTemporaryFolder(folder.path());
  support::writeContents(place.path / "file", "x");
  endProcess(7, "It is over.");
}

TEST(TemporaryEntryDeathTest, GoesWithAProcessThatEndsAtOnce) {
  const Folder folder;
  OtherRun other(folder.path());
  EXPECT_EXIT(endAmidFiles(folder), testing::ExitedWithCode(7), "^stridescope: It is over\\.\n$");
  EXPECT_EQ(support::contentsOf(folder / "whole"), "text");
  EXPECT_EQ(folder.fileCount(), 3u) << "the other run's two and what is whole";
}

TEST(TemporaryEntry, NothingElseIsSwept) {
  const Folder folder, elsewhere;
  support::writeContents(elsewhere / "kept", "x");
  const std::vector<std::string> names{".stridescope-1-0",
                                       ".stridescope-1-0.tmp~",
                                       "stridescope-1-0.tmp",
                                       ".stridescope-.tmp",
                                       ".stridescope--.tmp",
                                       ".stridescope-1.tmp",
                                       ".stridescope-1-0-0.tmp",
                                       ".stridescope-x-0.tmp",
                                       ".stridescope-1-.tmp",
                                       ".stridescope.tmp",
                                       ".tmp",
                                       "a.stride",
                                       ".stridescope-1-0x.tmp",
                                       ".stridescope-tmp"};
  for (const std::string& name : names) support::writeContents(folder / name.c_str(), "x");
  std::filesystem::create_symlink(elsewhere / "kept", folder / ".stridescope-1-1.tmp");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder / ".stridescope-1-2.tmp");
  ASSERT_EQ(::mkfifo((folder / ".stridescope-1-3.tmp").c_str(), 0600), 0);
  const std::size_t before = folder.fileCount();
  sweepTemporaries(folder.path());
  EXPECT_EQ(folder.fileCount(), before);
  EXPECT_EQ(elsewhere.fileCount(), 1u);
  support::writeContents(folder / ".stridescope-1-4.tmp", "x");
  sweepTemporaries(folder.path());
  EXPECT_EQ(folder.fileCount(), before) << "and this is";
}

TEST(TemporaryEntry, ALinkInASweptFolderIsNotFollowed) {
  const Folder folder, elsewhere;
  support::writeContents(elsewhere / "kept", "x");
  std::filesystem::create_directory(folder / ".stridescope-1-0.tmp");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder / ".stridescope-1-0.tmp/link");
  sweepTemporaries(folder.path());
  EXPECT_EQ(folder.fileCount(), 0u);
  EXPECT_EQ(support::contentsOf(elsewhere / "kept"), "x");
}

TEST(TemporaryEntry, OfAnotherUserStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "Only root can give a file away.";
  const Folder folder;
  support::writeContents(folder / ".stridescope-1-0.tmp", "x");
  ASSERT_EQ(::chown((folder / ".stridescope-1-0.tmp").c_str(), 65534, 65534), 0);
  sweepTemporaries(folder.path());
  EXPECT_EQ(folder.fileCount(), 1u);
}

TEST(TemporaryEntry, AFolderThatIsNotThereIsNoTrouble) {
  sweepTemporaries("/no/such/folder");
  EXPECT_EQ(makeTemporaryFile("/no/such/folder").systemError, ENOENT);
  EXPECT_EQ(makeTemporaryFolder("/proc").systemError, ENOENT);
}

TEST(TemporaryEntry, IsForItsUserAlone) {
  const Folder folder;
  const auto place = makeTemporaryFolder(folder.path());
  struct stat status {};
  ASSERT_EQ(::stat(place.path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700u);
}

// Each sweeps before it makes its own, while the others are between making theirs and locking it.
TEST(TemporaryEntry, ManyAtOnceTakeNothingFromEachOther) {
  const Folder folder;
  std::atomic<int> lost{0};
  const auto work = [&] {
    for (int i = 0; i < 300; ++i) {
      const auto file = makeTemporaryFile(folder.path()), place = makeTemporaryFolder(folder.path());
      if (file.systemError != 0 || !std::filesystem::exists(file.path)) ++lost;
      if (place.systemError != 0 || !std::filesystem::exists(place.path)) ++lost;
      std::filesystem::remove(file.path);
      std::filesystem::remove(place.path);
    }
  };
  std::vector<pid_t> processes;
  for (int i = 0; i < 3; ++i) {
    processes.push_back(::fork());
    if (processes.back() != 0) continue;
    work();
    ::_exit(lost);
  }
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  }
  for (const pid_t process : processes) {
    int status = 0;
    ::waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(folder.fileCount(), 0u);
}

// A folder of files: all of them, or none; what was there stays unless it was to be replaced.

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
