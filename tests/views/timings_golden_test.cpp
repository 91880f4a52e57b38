// The four tabs and the Ladder's times as pictures, against those that were looked at and kept; as in
// golden_test.cpp.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "shell/frame.h"
#include "shell/headless_context.h"
#include "support/golden_picture.h"
#include "timings_fixture.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

constexpr shell::PixelSize kSize{1600, 1000};

class TimingsPictures : public testing::Test {
 protected:
  // Skips where nothing can be drawn.
  void expectTab(TimingsTab tab, bool live, session::ThemeName theme, const std::string& name,
                 const char* panel = "Timings",
                 const model::Experiment& experiment = {
                     .variant = "interleaved_contiguous", .threads = 256, .elements = 256}) {
    const auto board = test::handMadeBoard();
    if (!live)
      board->showRecorded(test::handMadeRecords(), {}, test::handMadeGroups(), test::handMadeLinks());
    session::Settings settings;
    settings.theme = theme;
    session::Session session(test::timedServices(board, live), settings,
                             {.experiment = experiment, .round = 4, .engine = "host"});
    session.waitForJobs();
    if (live) session.apply(session::StartTiming{});
    test::waitUntilStill(*board);
    auto context = shell::HeadlessContext::create(kSize, 1);
    if (!context) GTEST_SKIP() << context.error().sentence;
    auto runner = shell::FrameRunner::create(**context);
    ASSERT_TRUE(runner) << runner.error().sentence;
    if (!(*runner)->missingFonts().empty()) GTEST_SKIP() << (*runner)->missingFonts().front();
    const auto timings = std::make_shared<TimingsState>();
    timings->tab = tab;
    Workbench workbench(
        session, [](const session::Settings&) {}, test::panelsWith(timings));
    for (int frame = 0; frame < 6; ++frame) (*runner)->run(workbench);
    const ImGuiWindow* window = ImGui::FindWindowByName(panel);
    ASSERT_NE(window, nullptr);
    expectPicture(shell::cropped((*context)->readPixels(), window->Pos,
                                 {window->Pos.x + window->Size.x, window->Pos.y + window->Size.y}),
                  name);
  }

 private:
  static void expectPicture(const shell::Image& picture, const std::string& name) {
    support::expectGoldenPicture(picture, GOLDEN_FOLDER, name);
  }
};

// Twelve rungs and two baselines; the contiguous one is orange; the last values at the right.
TEST_F(TimingsPictures, Live) {
  expectTab(TimingsTab::Live, true, session::ThemeName::Dark, "timings-live-dark");
}

// Bars with both older cards' shares on them; measured, so filled.
TEST_F(TimingsPictures, Ladder) {
  expectTab(TimingsTab::Ladder, true, session::ThemeName::Light, "timings-ladder-light");
}

// Outlined marks: recorded. The ceiling, the crossover, three older machines.
TEST_F(TimingsPictures, BySize) {
  expectTab(TimingsTab::BySize, false, session::ThemeName::Dark, "timings-by-size-dark");
}

// One GPU beside two, and where the second one begins to pay. The status line has the links.
TEST_F(TimingsPictures, TwoGpusBySize) {
  expectTab(TimingsTab::BySize, false, session::ThemeName::Light, "timings-two-gpus-light", "Timings",
            {.variant = "nvlink_message", .threads = 512, .elements = 4096, .gpus = 2});
}

TEST_F(TimingsPictures, ByBlock) {
  expectTab(TimingsTab::ByBlock, false, session::ThemeName::Light, "timings-by-block-light");
}

// Under each variant its time: outlined bars, and at the foot whose they are; filled where they are measured.
TEST_F(TimingsPictures, RecordedTimesInTheLadderPanel) {
  expectTab(TimingsTab::Ladder, false, session::ThemeName::Dark, "ladder-times-recorded-dark", "Ladder");
}

TEST_F(TimingsPictures, LiveTimesInTheLadderPanel) {
  expectTab(TimingsTab::Ladder, true, session::ThemeName::Light, "ladder-times-live-light", "Ladder");
}

}  // namespace
}  // namespace stridescope::views
