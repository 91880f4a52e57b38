// The maps of traces made by hand, compared as pictures with those that were looked at and kept. Where the
// machine has no OpenGL without a display, these tests are skipped. UPDATE_GOLDEN=1 in the environment keeps
// the new ones instead: look at them before they are committed.
#include <gtest/gtest.h>

#include "draw/grid_painter.h"
#include "imgui_internal.h"
#include "shell/frame.h"
#include "shell/headless_context.h"
#include "support/fake_engine.h"
#include "support/golden_picture.h"
#include "support/grid_records.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"
#include "support/race_trace.h"
#include "support/stand_in_clock.h"
#include "views/frame/workbench.h"
#include "views/panels.h"

namespace stridescope::views {
namespace {

// The marks of a stand-in clock lie 40 to 100 cycles apart, and each warp is 9 cycles behind the one before.
model::ClockRecord standInClocks(const std::string& variant, unsigned threads) {
  const model::Trace trace = support::ladderTrace(variant, threads, model::ElementType::Int);
  model::ClockRecord record = support::standInRecord(
      trace, model::ClockedGrid::Alone, 41, [](std::size_t mark) { return 40 * mark + 60 * (mark / 2); });
  for (std::size_t warp = 0; warp < record.warps.size(); ++warp)
    for (model::Mark& mark : record.warps[warp]) mark.clock += 9 * warp;
  return record;
}

class GoldenPictures : public testing::Test {
 protected:
  unsigned pass_ = 0;             // the pass of the round that is drawn
  bool presented_ = false;        // in Present
  const char* opened_ = nullptr;  // a panel that is brought to the front of its place
  session::Mode mode_ = session::Mode::Explore;
  session::Commands before_;  // given before it is drawn

  // A trace made by hand, whatever the session asks for.
  void draw(model::Trace trace, unsigned round, session::ThemeName theme, shell::PixelSize size) {
    engines_.trace = std::move(trace);
    draw("sequential", round, theme, size);
  }
  // Draws the window; skips where that cannot be done.
  void draw(const std::string& variant, unsigned round, session::ThemeName theme, shell::PixelSize size) {
    session::Settings settings;
    settings.theme = settings.presenterTheme = theme;
    session_ = support::sessionOf(engines_, support::ladderExperiment(variant), round, settings);
    session_->apply(session::GoToRound{0, round, pass_});
    session_->apply(session::EnterMode{mode_});
    session_->waitForJobs();
    for (const session::Command& command : before_) session_->apply(command);
    session_->waitForJobs();
    session_->update(1);  // past the transition
    if (presented_) session_->apply(session::EnterMode{session::Mode::Present});
    if (presented_) session_->apply(session::Pin{session::hoverThread(5)});
    auto context = shell::HeadlessContext::create(size, 1);
    if (!context) GTEST_SKIP() << context.error().sentence;
    context_ = *std::move(context);
    auto runner = shell::FrameRunner::create(*context_);
    ASSERT_TRUE(runner) << runner.error().sentence;
    runner_ = *std::move(runner);
    if (!runner_->missingFonts().empty()) GTEST_SKIP() << runner_->missingFonts().front();
    runner_->grids().setRecording(true);
    Workbench workbench(
        *session_, [](const session::Settings&) {}, allPanels());
    for (int frame = 0; frame < 6; ++frame) {
      if (opened_ != nullptr && frame == 2) ImGui::SetWindowFocus(opened_);
      runner_->run(workbench);
    }
    picture_ = context_->readPixels();
  }

  void timelineOf(const std::string& variant, unsigned threads) {
    engines_.clocks = {standInClocks(variant, threads)};
    opened_ = "Block timeline";
  }

  void countersOf(const std::string& variant) {
    using model::Counter;
    model::CounterRecord record;
    record.kernelHash = model::hashOf(support::ladderTrace(variant, 256, model::ElementType::Int).kernelText);
    record.executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H100 80GB HBM3"};
    record.launches.push_back({.grid = 1,
                               .block = 256,
                               .values = {{Counter::SharedLoadWavefronts, 95},
                                          {Counter::SharedStoreWavefronts, 59},
                                          {Counter::SharedLoadConflicts, 70},
                                          {Counter::SharedStoreConflicts, 39},
                                          {Counter::Instructions, 1064},
                                          {Counter::DramReadBytes, 1 << 20},
                                          {Counter::AchievedOccupancy, 11.75},
                                          {Counter::StallBarrier, 1.58}}});
    engines_.counters = {record};
    opened_ = "Counters";
  }

  // A grid of 8 multiprocessors with 4 places each: two and a half waves of 32 blocks that end unevenly, then
  // one block.
  void gridOf(const std::string& variant, const char* panel) {
    const std::string hash =
        model::hashOf(support::ladderTrace(variant, 256, model::ElementType::Int).kernelText);
    model::TimelineRecord record = support::smallTimeline(variant);
    record.experiment.elements = 256;
    record.kernelHash = hash;
    record.multiprocessors = 8;
    record.nanoseconds = 12'000;
    record.launches[0] = {.block = 256, .residentBlocks = 4};
    for (unsigned block = 0; block < 80; ++block) {
      const unsigned wave = block / 32;
      record.launches[0].blocks.push_back(
          {3000 + 1800 * wave + 37 * (block % 11), 1500 + 61 * (block % 5), block % 8});
    }
    record.launches[1].residentBlocks = 4;
    model::MachineCode code = support::smallCode(variant);
    code.kernelHash = hash;
    code.experiment.elements = 256;
    engines_.codes = {code};
    record.launches[1].blocks[0] = {10'000, 900, 5};
    engines_.timelines = {record};
    model::CostRecord own = support::roundCost(variant),
                      before = support::roundCost("interleaved_contiguous");
    for (model::CostRecord* cost : {&own, &before}) cost->experiment.elements = 256;
    own.kernelHash = hash;
    before.kernelHash = model::hashOf(kernels::kernelText("interleaved_contiguous"));
    before.microseconds = 130, before.lowerQuartile = 129, before.upperQuartile = 131;
    before.emptyMicroseconds = 60;
    engines_.costs = {own, before};
    for (const model::CostRecord* cost : {&own, &before}) {
      model::PeelRecord prices = support::smallPrices(cost->experiment.variant);
      prices.experiment.elements = 256;
      prices.kernelHash = cost->kernelHash;
      engines_.prices.push_back(prices);
    }
    opened_ = panel;
  }

  void expectGrid(const std::string& grid, const std::string& name) {
    for (const draw::PaintedGrid& painted : runner_->grids().painted())
      if (painted.name == grid)
        return expectPicture(shell::cropped(picture_, painted.min, painted.max), name);
    ADD_FAILURE() << "no grid " << grid;
  }
  void expectWindow(const std::string& name) { expectPicture(picture_, name); }
  void expectPanel(const char* panel, const std::string& name) {
    const ImGuiWindow* window = ImGui::FindWindowByName(panel);
    ASSERT_NE(window, nullptr);
    expectPicture(shell::cropped(picture_, window->Pos, window->Pos + window->Size), name);
  }
  // Both columns and what stands between them.
  void expectBothSides(const std::string& name) {
    const ImGuiWindow* const left = ImGui::FindWindowByName("Side##left");
    const ImGuiWindow* const right = ImGui::FindWindowByName("Side##right");
    const ImGuiWindow* const between = ImGui::FindWindowByName("What differs");
    ASSERT_TRUE(left != nullptr && right != nullptr && between != nullptr);
    expectPicture(
        shell::cropped(picture_, left->Pos, {right->Pos.x + right->Size.x, between->Pos.y + between->Size.y}),
        name);
  }

 private:
  static void expectPicture(const shell::Image& picture, const std::string& name) {
    support::expectGoldenPicture(picture, GOLDEN_FOLDER, name);
  }

  support::FakeEngines engines_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<shell::HeadlessContext> context_;
  std::unique_ptr<shell::FrameRunner> runner_;
  shell::Image picture_;
};

#define DRAW_OR_SKIP(...) \
  draw(__VA_ARGS__);      \
  if (IsSkipped() || HasFatalFailure()) return

// Eight warps, ten rounds; the one of stride 16 stands out.
TEST_F(GoldenPictures, BlockTimelineOfTheSequentialRung) {
  timelineOf("sequential", 256);
  DRAW_OR_SKIP("sequential", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Block timeline", "block-timeline-sequential-16-dark");
}

TEST_F(GoldenPictures, TimelineOfAGrid) {
  gridOf("sequential", "Timeline");
  DRAW_OR_SKIP("sequential", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Timeline", "timeline-dark");
}

TEST_F(GoldenPictures, TimelineOfAGridInALightSmallWindow) {
  gridOf("sequential", "Timeline");
  DRAW_OR_SKIP("sequential", 4, session::ThemeName::Light, {1280, 720});
  expectPanel("Timeline", "timeline-light");
}

TEST_F(GoldenPictures, WhyItTakesItsTime) {
  gridOf("sequential", "Why");
  DRAW_OR_SKIP("sequential", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Why", "why-dark");
}

TEST_F(GoldenPictures, MachineCodeOfTheSequentialRung) {
  gridOf("sequential", "Machine code");
  DRAW_OR_SKIP("sequential", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Machine code", "machine-code-dark");
}

TEST_F(GoldenPictures, BlockTimelineOfAnUnrolledWarp) {
  timelineOf("unrolled_last_warp", 256);
  DRAW_OR_SKIP("unrolled_last_warp", 4, session::ThemeName::Light, {1280, 720});
  expectPanel("Block timeline", "block-timeline-unrolled-light");
}

// Modelled, measured, and a difference that is made for the picture.
TEST_F(GoldenPictures, CountersOfTheContiguousRung) {
  countersOf("interleaved_contiguous");
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Counters", "counters-contiguous-dark");
}

// Stride 8 beside stride 16: operands, what differs, the lines that differ, the banks.
TEST_F(GoldenPictures, ContiguousBesideSequential) {
  mode_ = session::Mode::Compare;
  DRAW_OR_SKIP("sequential", 4, session::ThemeName::Dark, {1600, 1000});
  expectBothSides("compare-contiguous-sequential-dark");
}

// The lines give way.
TEST_F(GoldenPictures, ModuloBesideContiguousInASmallWindow) {
  mode_ = session::Mode::Compare;
  before_ = {session::OnSide{analysis::Side::Left,
                             std::make_shared<const session::Command>(session::Choose(
                                 &model::Experiment::variant, std::string("interleaved_modulo")))}};
  DRAW_OR_SKIP("interleaved_contiguous", 2, session::ThemeName::Light, {1280, 720});
  expectBothSides("compare-modulo-contiguous-light");
}

// The hero, Banks, the caption and the transport.
TEST_F(GoldenPictures, PresenterOfTheContiguousRung) {
  presented_ = true;
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Light, {1920, 1080});
  expectWindow("presenter-contiguous-8-light");
}

// One panel over the caption.
TEST_F(GoldenPictures, PresenterInALowWindow) {
  presented_ = true;
  DRAW_OR_SKIP("sequential", 5, session::ThemeName::Dark, {1280, 500});
  expectWindow("presenter-low-dark");
}

// No thread touches memory: the map of all rounds has the room, on a large monitor, too.
TEST_F(GoldenPictures, BanksOfAShuffle) {
  opened_ = "Banks";
  DRAW_OR_SKIP(support::shuffleTrace(256), 2, session::ThemeName::Dark, {3840, 2160});
  expectPanel("Banks", "banks-shuffle-dark");
}

// Sixteen lanes work, sixteen are off, seven warps are idle.
TEST_F(GoldenPictures, LanesOfTheContiguousRungAtStride8) {
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Dark, {1600, 1000});
  expectGrid("lanes", "lanes-contiguous-8-dark");
}

// One lane in sixteen works, in every warp.
TEST_F(GoldenPictures, LanesOfTheModuloRungAtStride8) {
  DRAW_OR_SKIP("interleaved_modulo", 4, session::ThemeName::Light, {1600, 1000});
  expectGrid("lanes", "lanes-modulo-8-light");
}

// Whole warps drop out: 4, 2, 1, 1, ...
TEST_F(GoldenPictures, DivergenceOfTheContiguousRung) {
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Dark, {1600, 1000});
  expectGrid("divergence", "divergence-contiguous-dark");
}

// Sixteen lanes on two banks: eight wavefronts of two.
TEST_F(GoldenPictures, PunchCardOfAnEightWayConflict) {
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Light, {1600, 1000});
  expectGrid("punch card", "punch-card-contiguous-8-light");
}

TEST_F(GoldenPictures, BanksByRoundOfTheContiguousRung) {
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Dark, {1600, 1000});
  expectGrid("banks by round", "banks-contiguous-dark");
}

// Four pairs at distance 32: operands, discs, sums.
TEST_F(GoldenPictures, SharedMemoryOfTheContiguousRungAtStride32) {
  DRAW_OR_SKIP("interleaved_contiguous", 6, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Shared memory", "shared-memory-contiguous-32-dark");
}

TEST_F(GoldenPictures, SharedMemoryOfTheSequentialRungAtStride8) {
  DRAW_OR_SKIP("sequential", 5, session::ThemeName::Light, {1600, 1000});
  expectPanel("Shared memory", "shared-memory-sequential-8-light");
}

// Eight lanes take the registers of the eight above them; the results of sixteen are unused.
TEST_F(GoldenPictures, RegistersInAShuffleBy8) {
  DRAW_OR_SKIP(support::shuffleTrace(64), 2, session::ThemeName::Dark, {1280, 720});
  expectPanel("Shared memory", "registers-shuffle-8-dark");
}

// All lanes in, one value out.
TEST_F(GoldenPictures, RegistersInAWarpReduction) {
  DRAW_OR_SKIP(support::warpReduceTrace(64), 0, session::ThemeName::Light, {1280, 720});
  expectPanel("Shared memory", "registers-warp-reduction-light");
}

// The array in device memory, and four sectors in place of banks.
TEST_F(GoldenPictures, DeviceMemoryAtStride8) {
  DRAW_OR_SKIP(support::globalMemoryTrace(32), 2, session::ThemeName::Dark, {1280, 720});
  expectPanel("Shared memory", "device-memory-8-dark");
}

TEST_F(GoldenPictures, SectorsOfAWarpInDeviceMemory) {
  DRAW_OR_SKIP(support::globalMemoryTrace(64), 1, session::ThemeName::Light, {1600, 1000});
  expectGrid("punch card", "punch-card-sectors-light");
}

// Two warps, strides 64 to 1: four sectors for a full warp, then two, then one.
TEST_F(GoldenPictures, SectorsByRoundInDeviceMemory) {
  DRAW_OR_SKIP(support::globalMemoryTrace(64), 1, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Banks", "sectors-by-round-dark");
}

// The fourth element is being found: heads with their lists, three elements merged.
TEST_F(GoldenPictures, TheMergeOfEightLists) {
  std::vector<std::vector<int>> lists(32);
  for (int list = 0; list < 8; ++list) lists[std::size_t(list)] = {list / 2, 10 + list};
  DRAW_OR_SKIP(support::mergeTrace(lists), 3 * 7 + 3, session::ThemeName::Light, {1280, 720});
  expectPanel("Shared memory", "merge-fourth-element-light");
}

// The element, both threads and why, above the map.
// At stride 32 each operand B is what the load left.
TEST_F(GoldenPictures, ARaceForWantOfABarrier) {
  pass_ = 1;
  DRAW_OR_SKIP(support::raceTrace(128), 1, session::ThemeName::Dark, {1280, 720});
  expectPanel("Shared memory", "race-missing-barrier-dark");
}

// Stride 16 is hidden: threads 0 to 6 and 8 are marked, warp 0 as partial, a wrong value is typed.
void guessAtStride16(session::Commands& commands, bool reveals) {
  using session::PredictAct;
  using session::PredictStep;
  commands = {session::EnterMode{session::Mode::Predict},
              PredictStep{.act = PredictAct::Mark, .question = 0, .first = 0, .last = 6},
              PredictStep{.act = PredictAct::Mark, .question = 0, .first = 8, .last = 8},
              PredictStep{.act = PredictAct::Mark, .question = 1, .first = 0, .last = 0},
              PredictStep{.act = PredictAct::AnswerWay, .question = 2, .way = 32},
              PredictStep{.act = PredictAct::AnswerText, .question = 3, .text = "120"},
              PredictStep{.act = PredictAct::Hint}};
  if (reveals) commands.emplace_back(PredictStep{.act = PredictAct::Reveal});
}

TEST_F(GoldenPictures, AHiddenRound) {
  guessAtStride16(before_, false);
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Predict", "predict-before-dark");
  expectPanel("Lanes", "predict-lanes-before-dark");
  expectPanel("Shared memory", "predict-memory-before-dark");
}

TEST_F(GoldenPictures, ARevealedRound) {
  guessAtStride16(before_, true);
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Dark, {1600, 1000});
  expectPanel("Predict", "predict-after-dark");
  expectPanel("Lanes", "predict-lanes-after-dark");
}

TEST_F(GoldenPictures, ARevealedRoundInALightSmallWindow) {
  guessAtStride16(before_, true);
  DRAW_OR_SKIP("interleaved_contiguous", 4, session::ThemeName::Light, {1280, 720});
  expectPanel("Predict", "predict-after-light");
  expectPanel("Lanes", "predict-lanes-after-light");
}

}  // namespace
}  // namespace stridescope::views
