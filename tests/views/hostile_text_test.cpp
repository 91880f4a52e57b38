// A recording whose texts would take over a terminal, in the window: nothing of them is drawn or copied as it
// is.
#include "support/hostile_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "archive/recording_file.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_engine.h"
#include "imgui.h"
#include "support/hostile_recording.h"
#include "views/transport/round_text.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using support::hostileIn;
using support::kHostileText;
using test::WorkbenchUi;

class HostileWindow : public testing::Test {
 protected:
  HostileWindow() {
    std::filesystem::create_directories(folder_);
    engine::JobControl job;
    auto trace = engine::host::makeHostEngine()->record(
        *engine::checkedExperiment({.variant = "sequential", .threads = 64}, false), job);
    support::appendHostileComment(*trace);
    trace->launches[0].recorded().problems.push_back({model::ProblemKind::Limit, "Stopped.", 1, 0});
    trace->ok = false;
    trace->checkNote = "A note.";
    const auto written = archive::writeRecording(path_, {&*trace, 1}, true);
    EXPECT_TRUE(written);
    for (const auto& column : support::textColumnsOf(path_)) {
      const std::filesystem::path before = folder_ / "before.stride";
      std::filesystem::copy_file(path_, before, std::filesystem::copy_options::overwrite_existing);
      support::appendTo(path_, column, kHostileText);
      if (column.name == "variant" || !engine::recorded::readRecordedTrace(path_, 1))
        std::filesystem::rename(before, path_);
    }
  }
  ~HostileWindow() override { std::filesystem::remove_all(folder_); }

  static void expectPlain(const WorkbenchUi& window) {
    for (const draw::TextLog::Entry& entry : window.ui().texts().entries())
      EXPECT_EQ(entry.text.find('\n') == std::string::npos ? hostileIn(entry.text) : "a line break", "")
          << entry.window << ": " << entry.text;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("hostile_window_" + std::to_string(::getpid()));
  const std::filesystem::path path_ = folder_ / "hostile.stride";
};

TEST_F(HostileWindow, DrawsAndCopiesPlainText) {
  WorkbenchUi window({.variant = "sequential", .threads = 64, .size = {1600, 2400}});  // all of the source
  window.apply(session::OpenRecording{path_});
  ASSERT_EQ(window.session().replay().run()->trace.executor.kind, model::EngineKind::Recorded)
      << window.session().app().message().value_or(session::Message{}).sentence;
  EXPECT_TRUE(window.shows("recorded on CPU executore\\u001b[31mvil")) << window.textsIn("");
  EXPECT_TRUE(window.shows("// e\\u001b[31mvil")) << window.textsIn("");
  do {
    for (const auto& hover : {session::hoverThread(0), session::Hover{session::HoverKind::Site, 1},
                              session::Hover{session::HoverKind::Element, 0}}) {
      window.apply(session::Pin{hover});
      expectPlain(window);
    }
    const std::string linked =
        roundTextOf({window.session().replay().run()->trace, window.session().replay().launch(),
                     window.session().replay().launchAnalysis(),
                     window.session().replay().run()->flow[window.session().replay().playhead().launch],
                     window.session().replay().playhead().round},
                    allPanels());
    EXPECT_EQ(hostileIn(linked), "");
    window.apply(session::StepForward{});
  } while (!window.session().replay().atLast());
  expectPlain(window);
  window.apply(session::CopyText{window.session().replay().run()->trace.kernelText});
  EXPECT_EQ(hostileIn(ImGui::GetClipboardText()), "");
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("// e\\u001b[31mvil"), std::string::npos);
}

TEST_F(HostileWindow, TellsOfPathsInPlainText) {
  WorkbenchUi window;
  const std::string hostile(kHostileText);
  window.apply(session::OpenRecording{hostile + ".stride"});
  ASSERT_TRUE(window.session().app().message());
  EXPECT_TRUE(window.shows("e\\u001b[31mvil")) << window.textsIn("");
  expectPlain(window);
  window.apply(session::OpenData{hostile});
  expectPlain(window);
  window.apply(session::SaveRecording{folder_ / hostile, false});
  EXPECT_TRUE(window.session().app().isRemarkOfSaved());
  expectPlain(window);
  window.session().apply(session::OpenRecording{hostile});  // while it is being read
  window.ui().drawFrames(1);
  expectPlain(window);
}

// A recording that is called by a file's name is of a person's kernel. Its panels give no advice on how to
// measure it, which nothing here can.
TEST_F(HostileWindow, TellsOfAnOwnKernelThatNothingMeasuresIt) {
  WorkbenchUi window;
  model::Trace own = archive::readTrace(path_, 1).value();
  own.experiment.variant = "mine.cu";
  const auto written = archive::writeRecording(path_, {&own, 1}, true);
  ASSERT_TRUE(written) << written.error().sentence;
  window.apply(session::OpenRecording{path_});
  window.settle();
  for (const char* panel : {"counters", "timeline", "why", "block_timeline", "machine_code"}) {
    window.apply(session::ShowPanel{panel});
    EXPECT_NE(test::spoken(window).find("Nothing is measured of your own kernel"), std::string::npos)
        << panel;
    EXPECT_EQ(test::spoken(window).find(" --"), std::string::npos) << panel;
  }
}

// It is refused with its recording, and what is told of that is plain.
TEST_F(HostileWindow, RefusesAnOperatorThatIsNoPlainText) {
  WorkbenchUi window;
  model::Trace own = archive::readTrace(path_, 1).value();
  own.experiment.op = model::Operator::Custom;
  own.experiment.custom = {"a+b\u202e", "0", 0};
  own.ok = true;  // the file called its result wrong, and the operator alone is to be refused
  const auto written = archive::writeRecording(path_, {&own, 1}, true);
  ASSERT_TRUE(written) << written.error().sentence;
  window.session().apply(session::OpenRecording{path_});
  while (window.session().workspace().job()) {
    window.ui().drawFrames(1);
    expectPlain(window);
  }
  window.settle();
  ASSERT_TRUE(window.session().app().message());
  EXPECT_TRUE(window.shows("is damaged")) << window.textsIn("");
  expectPlain(window);
}

}  // namespace
}  // namespace stridescope::views
