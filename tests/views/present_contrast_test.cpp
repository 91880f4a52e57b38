// Whether every text of Present is read from the last row: its colour against the ground that it really
// stands on, pixel by pixel, in both themes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "shell/frame.h"
#include "shell/headless_context.h"
#include "support/fake_engine.h"
#include "support/grid_records.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"
#include "support/race_trace.h"
#include "support/whole_sweeps.h"
#include "views/frame/workbench.h"
#include "views/panels.h"

namespace stridescope::views {
namespace {

constexpr double kMinContrast = 7;  // WCAG 2.1, success criterion 1.4.6, for text of any size

using Pixel = std::array<std::uint8_t, 3>;

// WCAG 2.1's relative luminance, coded anew.
double luminanceOf(const Pixel& pixel) {
  const auto linear = [](std::uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(pixel[0]) + 0.7152 * linear(pixel[1]) + 0.0722 * linear(pixel[2]);
}
double contrastOf(const Pixel& a, const Pixel& b) {
  const double first = luminanceOf(a), second = luminanceOf(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}
Pixel pixelOf(ImU32 colour) {
  return {std::uint8_t(colour >> IM_COL32_R_SHIFT), std::uint8_t(colour >> IM_COL32_G_SHIFT),
          std::uint8_t(colour >> IM_COL32_B_SHIFT)};
}

// The colour that most of a text's rectangle has, but for the text's own; nullopt: nothing of it is visible.
std::optional<Pixel> groundOf(const shell::Image& picture, const draw::TextLog::Entry& entry) {
  const Pixel ink = pixelOf(entry.colour);
  const auto from = [](float a, float b) { return int(std::ceil(std::max(a, b))); };
  const auto to = [](float a, float b, int most) { return std::min(int(std::floor(std::min(a, b))), most); };
  std::map<Pixel, int> counts;
  for (int y = from(entry.min.y, entry.clipMin.y); y < to(entry.max.y, entry.clipMax.y, picture.size.height);
       ++y)
    for (int x = from(entry.min.x, entry.clipMin.x); x < to(entry.max.x, entry.clipMax.x, picture.size.width);
         ++x) {
      const std::size_t at = (std::size_t(y) * std::size_t(picture.size.width) + std::size_t(x)) * 4;
      const Pixel pixel{picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]};
      if (pixel != ink) ++counts[pixel];
    }
  if (counts.empty()) return std::nullopt;
  return std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
}

class PresentedContrast : public testing::TestWithParam<session::ThemeName> {
 protected:
  // Skips where nothing can be drawn.
  void start() {
    session::Settings settings;
    settings.presenterTheme = GetParam();
    session_ = support::sessionOf(engines_, support::ladderExperiment("interleaved_contiguous"), 4, settings);
    auto context = shell::HeadlessContext::create({1920, 1080}, 1);
    if (!context) GTEST_SKIP() << context.error().sentence;
    context_ = *std::move(context);
    auto runner = shell::FrameRunner::create(*context_);
    ASSERT_TRUE(runner) << runner.error().sentence;
    runner_ = *std::move(runner);
    texts_ = &runner_->startTextLog();
    workbench_.emplace(
        *session_, [](const session::Settings&) {}, allPanels());
    session_->apply(session::EnterMode{session::Mode::Present});
  }

  void expectReadable(const std::string& where) {
    session_->waitForJobs();
    session_->update(1);  // past the transition
    for (int frame = 0; frame < 4; ++frame) runner_->run(*workbench_);
    const shell::Image picture = context_->readPixels();
    std::size_t seen = 0;
    for (const draw::TextLog::Entry& entry : texts_->entries()) {
      const auto ground = groundOf(picture, entry);
      if (!ground) continue;
      ++seen;
      EXPECT_GE(contrastOf(pixelOf(entry.colour), *ground), kMinContrast)
          << "'" << entry.text << "' in " << entry.window << ", " << where;
    }
    EXPECT_GT(seen, 20u) << where;
  }

  support::FakeEngines engines_;
  std::unique_ptr<session::Session> session_;
  std::unique_ptr<shell::HeadlessContext> context_;
  std::unique_ptr<shell::FrameRunner> runner_;
  std::optional<Workbench> workbench_;
  const draw::TextLog* texts_ = nullptr;
};

TEST_P(PresentedContrast, IsSevenToOneInEveryPanel) {
  start();
  if (IsSkipped() || HasFatalFailure()) return;
  const std::vector<Panel> panels = allPanels();
  std::vector<std::pair<unsigned, bool>> rounds{{4, true}};  // and whether anything is pinned
  if (support::wholeSweeps()) rounds.insert(rounds.end(), {{0, false}, {4, false}});
  for (const Panel* const map : turnsIn(panels, session::Mode::Present))
    for (const auto& [round, pinned] : rounds) {
      session_->apply(session::ShowPanel{map->id});
      session_->apply(session::GoToRound{0, round});
      session_->apply(session::Unpin{});
      if (pinned) session_->apply(session::Pin{session::hoverThread(5)});
      expectReadable(map->id + ", round " + std::to_string(round) + (pinned ? ", pinned" : ""));
    }
}

// Registers, unused results, a race, a block of few warps, whose cells have numbers.
TEST_P(PresentedContrast, IsSoForOtherKindsOfRounds) {
  start();
  if (IsSkipped() || HasFatalFailure()) return;
  const std::vector<std::pair<const char*, model::Trace>> traces{
      {"shuffle", support::shuffleTrace(64)},
      {"reduction", support::warpReduceTrace(64)},
      {"device memory", support::globalMemoryTrace(64)},
      {"race", support::raceTrace(128)}};
  std::uint64_t seed = 1;
  for (const auto& [name, trace] : traces) {
    engines_.trace = trace;
    session_->apply(session::Choose(&model::Experiment::seed, ++seed));
    session_->waitForJobs();
    for (const auto& [map, round] :
         {std::pair("banks", 0u), std::pair("lanes", 1u), std::pair("divergence", 2u)}) {
      session_->apply(session::ShowPanel{map});
      session_->apply(session::GoToRound{0, round});
      expectReadable(std::string(name) + ", " + map + ", round " + std::to_string(round));
    }
  }
}

// The panels that a link may put beside the caption.
TEST_P(PresentedContrast, IsSoForWhatWasMeasured) {
  model::TimelineRecord timeline = support::smallTimeline("interleaved_contiguous");
  model::CostRecord cost = support::roundCost("interleaved_contiguous");
  timeline.experiment.elements = cost.experiment.elements = 256;
  timeline.kernelHash = cost.kernelHash =
      model::hashOf(support::ladderTrace("interleaved_contiguous", 256, model::ElementType::Int).kernelText);
  engines_.timelines = {timeline};
  engines_.costs = {cost};
  model::PeelRecord prices = support::smallPrices("interleaved_contiguous");
  prices.experiment.elements = 256;
  prices.kernelHash = cost.kernelHash;
  engines_.prices = {prices};
  start();
  if (IsSkipped() || HasFatalFailure()) return;
  for (const char* map : {"block_timeline", "timeline", "why", "counters"}) {
    session_->apply(session::ShowPanel{map});
    expectReadable(map);
  }
}

INSTANTIATE_TEST_SUITE_P(Themes, PresentedContrast,
                         testing::Values(session::ThemeName::Light, session::ThemeName::Dark),
                         [](const auto& one) { return std::string(session::nameOf(one.param)); });

// The test itself notices a text that is not read well.
TEST(PresentedContrast, IsComputedAsWcagHasIt) {
  EXPECT_NEAR(contrastOf({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
  EXPECT_NEAR(contrastOf({0x77, 0x77, 0x77}, {255, 255, 255}), 4.48, 0.005);
}

}  // namespace
}  // namespace stridescope::views
