// A recording whose texts would take over a terminal, in the window: nothing of them is drawn or copied as it
// is.
#include "support/hostile_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_trace.h"
#include "imgui.h"
#include "support/hostile_recording.h"
#include "archive/recording_file.h"
#include "views/chrome/text_twin.h"
#include "workbench_ui.h"

namespace stridescope {
namespace {

using test::hostileIn;
using test::kHostileText;
using test::WorkbenchUi;

class HostileWindow : public testing::Test {
 protected:
  HostileWindow() {
    std::filesystem::create_directories(folder_);
    JobControl job;
    auto trace =
        makeHostEngine()->record(*checkedExperiment({.variant = "sequential", .threads = 64}, false), job);
    test::appendHostileComment(*trace);
    trace->launches[0].problems.push_back({ProblemKind::Limit, "Stopped.", 1, 0});
    trace->ok = false;
    trace->checkNote = "A note.";
    const auto written = writeRecording(path_, {&*trace, 1}, true);
    EXPECT_TRUE(written);
    for (const auto& column : test::textColumnsOf(path_)) {
      const std::filesystem::path before = folder_ / "before.stride";
      std::filesystem::copy_file(path_, before, std::filesystem::copy_options::overwrite_existing);
      test::appendTo(path_, column, kHostileText);
      if (column.name == "variant" || !readRecordedTrace(path_, 1)) std::filesystem::rename(before, path_);
    }
  }
  ~HostileWindow() override { std::filesystem::remove_all(folder_); }

  static void expectPlain(const WorkbenchUi& window) {
    for (const TextLog::Entry& entry : window.ui().texts().entries())
      EXPECT_EQ(entry.text.find('\n') == std::string::npos ? hostileIn(entry.text) : "a line break", "")
          << entry.window << ": " << entry.text;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("hostile_window_" + std::to_string(::getpid()));
  const std::filesystem::path path_ = folder_ / "hostile.stride";
};

TEST_F(HostileWindow, DrawsAndCopiesPlainText) {
  WorkbenchUi window({.variant = "sequential", .threads = 64, .size = {1600, 2400}});  // all of the source
  window.apply(OpenRecording{path_});
  ASSERT_EQ(window.session().run()->trace.executor.kind, EngineKind::Recorded)
      << window.session().message().value_or(Message{}).sentence;
  EXPECT_TRUE(window.shows("recorded on CPU executore\\u001b[31mvil")) << window.textsIn("");
  EXPECT_TRUE(window.shows("// e\\u001b[31mvil")) << window.textsIn("");
  do {
    for (const auto& hover : {hoverThread(0), Hover{HoverKind::Site, 1}, Hover{HoverKind::Element, 0}}) {
      window.apply(Pin{hover});
      expectPlain(window);
    }
    const std::string twin = textTwinOf({window.session().run()->trace, window.session().launch(),
                                         window.session().launchAnalysis(),
                                         window.session().run()->flow[window.session().playhead().launch],
                                         window.session().playhead().round});
    EXPECT_EQ(hostileIn(twin), "");
    window.apply(StepForward{});
  } while (!window.session().atLast());
  expectPlain(window);
  window.apply(CopyText{window.session().run()->trace.kernelText});
  EXPECT_EQ(hostileIn(ImGui::GetClipboardText()), "");
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("// e\\u001b[31mvil"), std::string::npos);
}

TEST_F(HostileWindow, TellsOfPathsInPlainText) {
  WorkbenchUi window;
  const std::string hostile(kHostileText);
  window.apply(OpenRecording{hostile + ".stride"});
  ASSERT_TRUE(window.session().message());
  EXPECT_TRUE(window.shows("e\\u001b[31mvil")) << window.textsIn("");
  expectPlain(window);
  window.apply(OpenData{hostile});
  expectPlain(window);
  window.apply(SaveRecording{folder_ / hostile, false});
  ASSERT_TRUE(window.session().message());
  EXPECT_EQ(window.session().message()->kind, MessageKind::Fine);
  expectPlain(window);
  window.session().apply(OpenRecording{hostile});  // while it is being read
  window.ui().drawFrames(1);
  expectPlain(window);
}

TEST_F(HostileWindow, ShowsAnOperatorInPlainText) {
  WorkbenchUi window;
  Trace own = readTrace(path_, 1).value();
  own.experiment.op = Operator::Custom;
  own.experiment.custom = {"a+b\u202e", "0", 0};
  ASSERT_TRUE(writeRecording(path_, {&own, 1}, true));
  window.apply(OpenRecording{path_});
  EXPECT_TRUE(window.shows("a+b\\u202e")) << window.textsIn("");
  expectPlain(window);
}

}  // namespace
}  // namespace stridescope
