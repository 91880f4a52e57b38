// What becomes of a layout file that cannot be used, and of one with which the window did not come up.
#include "shell/layout_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "imgui_internal.h"
#include "shell/docking.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "support/demo_app.h"

namespace stridescope::shell {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kSoundLayout = "[Window][Lanes]\nPos=8,132\nSize=200,722\nCollapsed=0\n\n";
constexpr const char* kDamaged = "[Window][Lanes]\nPos=8,132\nSize=2000000,722\n";

class Layout : public testing::Test {
 protected:
  Layout() { std::filesystem::create_directories(folder_); }
  ~Layout() override { std::filesystem::remove_all(folder_); }

  LayoutFile open() const { return {file_, dockSpaceId()}; }
  std::filesystem::path beside(const std::string& suffix) const { return file_.string() + suffix; }
  void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  static std::string contentsOf(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static bool exists(const std::filesystem::path& file) { return std::filesystem::exists(file); }

  // In a process that is killed where `steps` end.
  static void inAProcessThatIsKilled(const std::function<void()>& steps) {
    const pid_t child = ::fork();
    if (child == 0) {
      steps();
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("stridescope-layout-" + std::to_string(::getpid()));
  const std::filesystem::path file_ = folder_ / "layout.ini";
};

TEST_F(Layout, ThatIsSoundIsGiven) {
  write(kSoundLayout);
  const LayoutFile layout = open();
  EXPECT_EQ(layout.text(), kSoundLayout);
  EXPECT_EQ(layout.path(), file_);
  EXPECT_EQ(layout.note(), "");
}

// A panel that has another title today stands where a person left it, in front of its neighbours if it was.
TEST_F(Layout, OfAnOlderVersionKeepsThePlaceOfARenamedPanel) {
  const auto layoutWith = [](const std::string& title) {
    char selected[32];
    std::snprintf(selected, sizeof selected, "0x%08X", ImHashStr("#TAB", 0, ImHashStr(title.c_str())));
    return "[Window][" + title +
           "]\nPos=8,132\nSize=200,722\nCollapsed=0\nDockId=0x00000001,0\n\n[Docking][Data]\n"
           "DockNode  ID=0x00000001 Pos=8,132 Size=200,722 Selected=" +
           selected + "\n\n";
  };
  write(layoutWith("Divergence"));
  const LayoutFile layout = open();
  EXPECT_EQ(layout.note(), "");
  EXPECT_EQ(layout.text(), layoutWith("Lane utilization"));
}

TEST_F(Layout, ThatIsNotThereYetIsNothingToTellOf) {
  const LayoutFile layout = open();
  EXPECT_EQ(layout.text(), "");
  EXPECT_EQ(layout.path(), file_);
  EXPECT_EQ(layout.note(), "");
}

TEST_F(Layout, ThatIsDamagedIsKeptBeside) {
  write(kDamaged);
  const LayoutFile layout = open();
  EXPECT_EQ(layout.text(), "");
  EXPECT_EQ(layout.path(), file_);
  EXPECT_EQ(layout.note(),
            "The layout of the panels in '" + file_.string() +
                "' is damaged (line 3: its value cannot be), so they stand as at first. The old layout is "
                "kept as '" +
                file_.string() + ".kept'.");
  EXPECT_FALSE(exists(file_));
  EXPECT_EQ(contentsOf(beside(".kept")), kDamaged);
}

TEST_F(Layout, ThatWasKeptBeforeIsNotLost) {
  const auto keep = [&](const std::string& text) {
    write(text);
    return open().note();
  };
  keep("one");
  EXPECT_THAT(keep("two"), EndsWith(".kept-2'."));
  EXPECT_THAT(keep("two"), EndsWith(".kept-2'.")) << "the same once more";
  EXPECT_THAT(keep("three"), EndsWith(".kept-3'."));
  EXPECT_EQ(contentsOf(beside(".kept")), "one");
  EXPECT_EQ(contentsOf(beside(".kept-2")), "two");
  EXPECT_EQ(contentsOf(beside(".kept-3")), "three");
  EXPECT_FALSE(exists(beside(".kept-4")));
}

// Two files of a terabyte without contents are not compared.
TEST_F(Layout, ThatIsVeryLargeIsNotRead) {
  std::ofstream(file_) << "x";
  std::ofstream(beside(".kept")) << "x";
  for (const auto& each : {file_, beside(".kept")})
    std::filesystem::resize_file(each, std::uintmax_t{1} << 40);
  const LayoutFile layout = open();
  EXPECT_EQ(layout.text(), "");
  EXPECT_THAT(layout.note(), EndsWith(".kept-2'."));
}

TEST_F(Layout, ThatCannotBeMovedStaysAndIsNotWrittenOver) {
  write("no layout");
  for (int i = 1; i < 100; ++i) std::ofstream(beside(i == 1 ? ".kept" : ".kept-" + std::to_string(i))) << i;
  const LayoutFile layout = open();
  EXPECT_EQ(layout.text(), "");
  EXPECT_EQ(layout.path(), "");
  EXPECT_THAT(layout.note(), HasSubstr("cannot be moved out of the way"));
  EXPECT_EQ(contentsOf(file_), "no layout");
}

TEST_F(Layout, ThatIsNoFileIsLeftAlone) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  const LayoutFile pipe = open();
  EXPECT_EQ(pipe.path(), "");
  EXPECT_THAT(pipe.note(), HasSubstr("is not a regular file"));
  std::filesystem::remove(file_);
  std::filesystem::create_directory(file_);
  EXPECT_EQ(open().path(), "");
  EXPECT_TRUE(exists(file_));
}

TEST_F(Layout, WithWhichAWindowDidNotComeUpIsKeptBeside) {
  write(kSoundLayout);
  inAProcessThatIsKilled([&] {
    (void)open().path();
    ::raise(SIGKILL);
  });
  EXPECT_EQ(open().text(), kSoundLayout) << "an orderly end is none";
  inAProcessThatIsKilled([&] {
    const LayoutFile layout = open();
    ::raise(SIGKILL);
  });
  EXPECT_TRUE(exists(beside(".starting")));
  {
    const LayoutFile layout = open();
    EXPECT_EQ(layout.text(), "");
    EXPECT_EQ(layout.path(), file_);
    EXPECT_THAT(layout.note(),
                AllOf(StartsWith("The last start of the window ended before its second frame."),
                      EndsWith("is kept as '" + file_.string() + ".kept'.")));
    EXPECT_EQ(contentsOf(beside(".kept")), kSoundLayout);
    EXPECT_FALSE(exists(file_));
  }
  EXPECT_FALSE(exists(beside(".starting")));
  write(kSoundLayout);  // the session's own
  EXPECT_EQ(open().text(), kSoundLayout) << "once";
}

TEST_F(Layout, WithWhichAWindowCameUpIsGivenAgain) {
  write(kSoundLayout);
  inAProcessThatIsKilled([&] {
    LayoutFile layout = open();
    layout.setStarted();
    ::raise(SIGKILL);
  });
  EXPECT_FALSE(exists(beside(".starting")));
  EXPECT_EQ(open().text(), kSoundLayout);
}

TEST_F(Layout, IsGivenToAWindowThatStartsWhileAnotherOneDoes) {
  write(kSoundLayout);
  auto first = std::make_unique<LayoutFile>(open());
  EXPECT_TRUE(exists(beside(".starting")));
  {
    LayoutFile second = open();
    EXPECT_EQ(second.text(), kSoundLayout);
    EXPECT_EQ(second.note(), "");
    second.setStarted();
    EXPECT_TRUE(exists(beside(".starting"))) << "it is the first one's";
  }
  EXPECT_TRUE(exists(beside(".starting")));
  first->setStarted();
  EXPECT_FALSE(exists(beside(".starting")));
  EXPECT_EQ(open().text(), kSoundLayout);
}

TEST_F(Layout, IsKeptBesideWhereOfTwoWindowsTheOneThatHeldTheMarkerEnded) {
  write(kSoundLayout);
  inAProcessThatIsKilled([&] {
    const LayoutFile first = open(), second = open();
    ::raise(SIGKILL);
  });
  EXPECT_THAT(open().note(), StartsWith("The last start"));
}

// Somebody has opened the marker, and locks it when its holder has just removed it.
TEST_F(Layout, AMarkerThatIsBeingRemovedSaysNothing) {
  write(kSoundLayout);
  auto first = std::make_unique<LayoutFile>(open());
  const int late = ::open(beside(".starting").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(late, 0);
  first->setStarted();
  ASSERT_EQ(::flock(late, LOCK_EX | LOCK_NB), 0);
  struct stat status {};
  ASSERT_EQ(::fstat(late, &status), 0);
  EXPECT_EQ(status.st_size, 0);
  EXPECT_EQ(open().text(), kSoundLayout);
  ::close(late);
}

TEST_F(Layout, AMarkerWithoutALayoutGoesAway) {
  std::ofstream(beside(".starting")) << "left";
  EXPECT_EQ(open().note(), "");
  EXPECT_FALSE(exists(beside(".starting")));
}

TEST_F(Layout, AMarkerThatIsNoFileIsNone) {
  write(kSoundLayout);
  std::filesystem::create_symlink("/dev/null", beside(".starting"));
  EXPECT_EQ(open().text(), kSoundLayout);
  std::filesystem::remove(beside(".starting"));
  ASSERT_EQ(::mkfifo(beside(".starting").c_str(), 0600), 0);
  EXPECT_EQ(open().text(), kSoundLayout);
  std::filesystem::remove(beside(".starting"));
  std::filesystem::create_directory(beside(".starting"));
  EXPECT_EQ(open().text(), kSoundLayout);
}

TEST_F(Layout, IsMarkedUntilTheSecondFrame) {
  write(kSoundLayout);
  NullContext graphics({1600, 1000}, 1);
  auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
  ASSERT_TRUE(runner);
  support::DemoApp app;
  EXPECT_TRUE(exists(beside(".starting")));
  (*runner)->run(app);
  EXPECT_TRUE(exists(beside(".starting")));
  (*runner)->run(app);
  EXPECT_FALSE(exists(beside(".starting")));
}

TEST_F(Layout, IsMarkedWhereTheWindowIsKilledInItsFirstFrame) {
  write(kSoundLayout);
  inAProcessThatIsKilled([&] {
    NullContext graphics({1600, 1000}, 1);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    struct KilledApp : App {
      void drawFrame(Frame&) override { ::raise(SIGKILL); }
    } app;
    (*runner)->run(app);
  });
  NullContext graphics({1600, 1000}, 1);
  auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
  ASSERT_TRUE(runner);
  struct ListeningApp : App {
    std::string notice;
    void drawFrame(Frame&) override {}
    void onNotice(const std::string& sentence) override { notice = sentence; }
  } app;
  (*runner)->run(app);
  EXPECT_THAT(app.notice, StartsWith("The last start of the window"));
  EXPECT_EQ(contentsOf(beside(".kept")), kSoundLayout);
}

}  // namespace
}  // namespace stridescope::shell
