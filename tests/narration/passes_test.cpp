// What is said of a pass of a round: what the threads do in it, and what went wrong there.
#include <gtest/gtest.h>

#include <bit>

#include "engine/host/host_engine.h"
#include "narration/caption.h"
#include "narration/load_sentence.h"
#include "narration/outcome.h"
#include "narration/requests.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"

namespace stridescope::narration {
namespace {

class OfPasses : public testing::Test {
 protected:
  void record(const model::Experiment& experiment) {
    engine::JobControl job;
    auto recorded = engine::host::makeHostEngine()->record(experiment, job);
    ASSERT_TRUE(recorded) << recorded.error().sentence;
    trace_ = *std::move(recorded);
    analysis_ = analysis::analyse(trace_);
    flow_ = analysis::findDataFlow(trace_, trace_.launches[0], analysis_.launches[0]);
  }
  RoundAt at(std::uint32_t round, std::uint32_t pass) {
    analysis::PassViewer viewer(trace_, trace_.launches[0], analysis_.launches[0], flow_);
    view_ = viewer.view(round, pass);
    return {trace_, trace_.launches[0], analysis_.launches[0], flow_, round, view_ ? &*view_ : nullptr};
  }

 private:
  model::Trace trace_;
  analysis::Analysis analysis_;
  std::vector<analysis::RoundFlow> flow_;
  std::optional<analysis::PassView> view_;
};

TEST_F(OfPasses, TheCaptionBeginsWithItsNumber) {
  record({.variant = "missing_barrier", .threads = 256, .elements = 256});
  EXPECT_EQ(captionOf(at(1, 2)).sentences.at(0),
            "Pass 3 of 8, stride 32: the first 32 of 256 threads add, in 1 full warp; the other 7 warps are "
            "idle or have finished.");
  EXPECT_EQ(captionOf(at(0, 0)).sentences.at(0).substr(0, 5), "Load:") << "it has one pass";
  EXPECT_EQ(tickOf(at(1, 2)), "32");
  RoundAt whole = at(1, 2);
  whole.pass = nullptr;
  EXPECT_EQ(tickOf(whole), "strides");
  record({.variant = "tile_columns", .threads = 32, .elements = 1024});
  EXPECT_EQ(captionOf(at(1, 2)).sentences.at(0),
            "Pass 3 of 32, read: all 32 threads add one element of tile each, in 1 full warp.");
}

// A run that is stopped leaves values that nobody was left to read: they are not told to be unused.
TEST_F(OfPasses, WhatAStoppedRunLeavesIsNotUnused) {
  record({.variant = "missing_bound_check", .threads = 64, .elements = 40});
  const RoundAt last = at(0, 0);
  ASSERT_TRUE(wasStopped(last));
  EXPECT_EQ(last.work().work.size(), 40u);
  for (const analysis::ThreadWork& work : last.work().work) EXPECT_TRUE(work.useful) << work.thread;
  EXPECT_NE(laneMap(last).find("stopped"), std::string::npos) << laneMap(last);
}

// Launch 1 adds what the blocks of launch 0 left.
TEST_F(OfPasses, ASecondLaunchSaysWhoseResultsItTakes) {
  engine::JobControl job;
  const auto trace =
      engine::host::makeHostEngine()->record({.variant = "many_blocks", .threads = 8, .elements = 64}, job);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->launches.size(), 2u);
  const analysis::Analysis analysis = analysis::analyse(*trace);
  const auto flow = analysis::findDataFlow(*trace, trace->launches[1], analysis.launches[1]);
  EXPECT_EQ(
      captionOf({*trace, trace->launches[1], analysis.launches[1], flow, 0}).sentences.at(0),
      "Load: 8 threads copy one element each into shared memory: the results of the 8 blocks of launch 0.");
}

// 64 threads, 100 elements: all add one, 36 add one more, and all store what they have.
TEST_F(OfPasses, ThatAccumulateAdd) {
  record({.variant = "block_of_warps", .threads = 64, .elements = 100});
  EXPECT_EQ(captionOf(at(0, 0)).sentences.at(0),
            "Pass 1 of 2, load: 64 threads add one element each in registers.");
  EXPECT_EQ(captionOf(at(0, 1)).sentences.at(0),
            "Pass 2 of 2, load: 36 of 64 threads add one element each in registers; then 64 threads store "
            "their values "
            "in shared memory.");
}

// In the order of lanes thread 0 has done all strides before thread 16 begins.
TEST_F(OfPasses, TellWhichValueIsStaleAndWhereTheRaceIs) {
  record({.variant = "missing_barrier", .threads = 32, .elements = 32});
  EXPECT_EQ(staleSentence(at(1, 0)), "") << "the barrier orders the load";
  EXPECT_EQ(
      staleSentence(at(1, 1)).substr(0, 125),
      "Pass 2 of 5, stride 8: 8 of 8 threads read a value that is not what the pass before left: thread 0 "
      "read 8 from data[8], where");
  EXPECT_NE(staleSentence(at(1, 1)).find("pass 1 left 32. This is a race."), std::string::npos);
  const auto& races = at(1, 0).analysis.races;
  ASSERT_EQ(races.size(), 1u);
  const std::uint32_t pass = races[0].pass;
  for (std::uint32_t each = 0; each < 5; ++each) {
    EXPECT_EQ(showsIn(at(1, each), races[0]), each == pass) << each;
    EXPECT_EQ(troubleInAnotherPass(at(1, each)),
              each == pass ? "" : "A race shows in pass " + std::to_string(pass + 1) + ".");
    EXPECT_EQ(endsTheRun(at(1, each)), each == 4);
  }
  // A pass that reads what a race left shows it, too, as the marks and the next race have it.
  const std::vector<analysis::PassPlace> stale{{0, 4}, {1, 1}};
  EXPECT_EQ(troubleInAnotherPass(at(1, 0), stale), "A race shows in pass 2.");
  EXPECT_EQ(troubleInAnotherPass(at(1, 1), stale), "");
}

// 8 warps, then warp 0 with a value in 8 lanes and the identity in 24. Where all sums are 0, the identity of
// sums, values are values all the same.
TEST_F(OfPasses, LanesThatOnlyTakePartAreToldFromThoseThatAreUsed) {
  for (const model::DataPattern data : {model::DataPattern::Ramp, model::DataPattern::Alternating}) {
    record({.variant = "warp_shuffle", .threads = 256, .elements = 256, .data = data});
    for (std::uint32_t step = 0; step < 5; ++step) {
      const unsigned used = 16u >> step;
      const analysis::LaneCounts first = lanesByUse(at(1 + step, 0));
      EXPECT_EQ(first.used, 8 * used) << step;
      EXPECT_EQ(first.unused, 8 * (32 - used)) << step;
      EXPECT_EQ(first.identity, 0u) << step;
      const analysis::LaneCounts second = lanesByUse(at(7 + step, 0));
      EXPECT_EQ(second.used, std::min(8u, used)) << step;
      EXPECT_EQ(second.unused, 8 - std::min(8u, used)) << step;
      EXPECT_EQ(second.identity, 24u) << step;
    }
    EXPECT_NE(laneMap(at(1, 0)).find("################++++++++++++++++"), std::string::npos);
    EXPECT_NE(laneMap(at(9, 0)).find("####++++========================"), std::string::npos);
    EXPECT_NE(divergenceMap(at(1, 0)).find("16/32  8/32  4/32  2/32  1/32"), std::string::npos)
        << divergenceMap(at(1, 0));
  }
}

// 16 blocks and 32 threads, and 64 blocks: the last block adds up what they left, and no thread the flag that
// tells it that it is the last.
TEST_F(OfPasses, TheLastBlockOfASinglePassWorksWithThePartialResults) {
  for (const std::uint64_t elements : {1u << 13, 1u << 15}) {
    record({.variant = "single_pass", .threads = 32, .elements = elements});
    const RoundAt first = at(0, 0);
    const auto isPartial = [&](const analysis::Operand& operand) {
      return !operand.shared && first.launch.buffers[operand.array].name == "partials";
    };
    std::size_t partials = 0;
    for (std::uint32_t round = 7; round < first.analysis.rounds.size(); ++round)
      for (std::uint32_t pass = 0; pass < first.analysis.rounds[round].passes; ++pass)
        for (const analysis::ThreadWork& work : at(round, pass).work().work) {
          if (!work.ofElements) continue;
          for (const analysis::Operand& operand : work.operands) {
            EXPECT_TRUE(!operand.placed || operand.shared || isPartial(operand)) << round << " " << pass;
            if (operand.placed && isPartial(operand) && !operand.inRegister) ++partials;
          }
        }
    EXPECT_EQ(partials, first.launch.grid);
  }
}

TEST_F(OfPasses, BlockZeroIsToldToWaitForTheWordsOfTheOthers) {
  record({.variant = "one_message", .threads = 32, .elements = 2048});
  const RoundAt first = at(0, 0);
  ASSERT_EQ(first.launch.grid, 4u);
  unsigned told = 0;
  for (std::uint32_t round = 0; round < first.analysis.rounds.size(); ++round)
    for (std::uint32_t pass = 0; pass < first.analysis.rounds[round].passes; ++pass)
      if (loadClause(at(round, pass)).find("wait for words of 3 other blocks") != std::string::npos) ++told;
  EXPECT_EQ(told, 1u);
}

// if (idx < 8) stands before the step by 8, and no loop is around: each pass has the guard that it begins
// with.
TEST_F(OfPasses, OfStraightLineCodeBeginWithTheirGuard) {
  record({.variant = "warp_volatile", .threads = 32, .elements = 32});
  for (std::uint32_t pass = 0; pass < 5; ++pass) {
    const RoundAt shown = at(1, pass);
    unsigned taken = 0, branches = 0;
    for (const analysis::WarpOperation& operation : shown.round().operations)
      if (operation.kind == model::EventKind::Branch && pass + 1 < shown.whole().passes) {
        ++branches;
        taken += unsigned(std::popcount(operation.taken));
      }
    EXPECT_GE(lanesByUse(shown).used, 1u) << "thread 0 goes on with what it has, pass " << pass;
    if (pass == 4) break;  // behind the last step stand the load of the result and its write
    EXPECT_EQ(shown.round().activeLanes, 16u >> pass) << "nobody returns the result yet, pass " << pass;
    EXPECT_EQ(shown.work().work.size(), 16u >> pass) << pass;
    EXPECT_EQ(taken, 16u >> pass) << pass;
    EXPECT_EQ(branches, 1u) << pass;
  }
}

// Thread 0 adds 0 to data[0] of its own; a value that a store leaves as it was tells no order.
TEST_F(OfPasses, WhereBothOrdersGiveTheSameTheOrderIsUnknown) {
  record({.variant = "missing_barrier",
          .threads = 32,
          .elements = 32,
          .data = model::DataPattern::Given,
          .given = model::SharedData({.name = "zeros", .values = std::vector<std::uint64_t>(32, 0)})});
  EXPECT_EQ(
      staleSentence(at(1, 1)).substr(0, 113),
      "Pass 2 of 5, stride 8: for 8 threads the order is unknown: a value is the same before and after the "
      "store of anot");
}

TEST_F(OfPasses, RequestsKeepTheNamesOfTheRound) {
  record({.variant = "grid_stride", .threads = 64, .elements = 64 * 5});
  const RoundAt whole = at(0, ~0u);
  std::map<std::uint32_t, std::string> names;
  RoundAt round = whole;
  round.pass = nullptr;
  for (const NamedRequest& request : namedRequests(round)) names[request.request->site] = request.name;
  std::size_t seen = 0;
  for (std::uint32_t pass = 0; pass < round.whole().passes; ++pass)
    for (const NamedRequest& request : namedRequests(at(0, pass))) {
      EXPECT_EQ(request.name, names[request.request->site]);
      ++seen;
    }
  EXPECT_GE(seen, names.size());
  EXPECT_GT(names.size(), 2u);
}

}  // namespace
}  // namespace stridescope::narration
