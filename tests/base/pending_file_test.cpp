// What killed runs left in a folder is removed, and nothing else.
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

using support::Folder;

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

}  // namespace
}  // namespace stridescope::base_test
