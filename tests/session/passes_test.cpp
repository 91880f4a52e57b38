// The playhead among the passes of a round. missing_barrier has two rounds at 256 threads: the load, and one
// of all eight strides with the write behind them.
#include <gtest/gtest.h>

#include <map>

#include "engine/host/host_engine.h"
#include "session/replay.h"

namespace stridescope::session {
namespace {

class PassSteps : public testing::Test {
 protected:
  PassSteps() {
    engine::JobControl job;
    const model::Experiment experiment{.variant = "missing_barrier", .threads = 256, .elements = 256};
    auto trace = engine::host::makeHostEngine()->record(experiment, job);
    EXPECT_TRUE(trace) << trace.error().sentence;
    replay_.load(*lab::steppedRun(std::move(*trace)));
  }
  Replay replay_;
};

TEST_F(PassSteps, GoFromPassToPassAndFromRoundToRound) {
  EXPECT_EQ(replay_.shownPass(), nullptr) << "one pass is the round";
  replay_.step(+1);
  for (unsigned pass = 0; pass < 8; ++pass) {
    EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, pass}));
    ASSERT_NE(replay_.shownPass(), nullptr);
    EXPECT_EQ(replay_.round().activeLanes, 128u >> pass);
    EXPECT_EQ(replay_.round().stride, 128u >> pass);
    EXPECT_EQ(replay_.flow().work.size(), 128u >> pass);
    EXPECT_EQ(replay_.wholeRound().activeLanes, 128u);
    EXPECT_EQ(replay_.atLast(), pass == 7);
    replay_.stepPass(+1);
  }
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, 7})) << "there is nothing behind it";
  for (unsigned pass = 7; pass-- > 0;) {
    replay_.stepPass(-1);
    EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, pass}));
  }
  replay_.stepPass(-1);
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 0}));
  EXPECT_TRUE(replay_.atFirst());
}

TEST_F(PassSteps, ByRoundsComeToTheFirstPassAndBackToTheLast) {
  replay_.step(+1);
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, 0}));
  replay_.step(+1);
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, 7})) << "the end of the last round is the end";
  replay_.step(-1);
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 0}));
  replay_.moveTo({0, 1, 3});
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, 3}));
  replay_.moveTo({0, 1, 99});
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, 7}));
}

TEST_F(PassSteps, ArePlayed) {
  replay_.togglePlaying();
  for (unsigned pass = 0; pass < 8; ++pass) {
    replay_.advance(1, 1);
    EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, pass}));
    EXPECT_EQ(replay_.playing(), pass < 7);
  }
}

// 32 passes take as long as eight rounds: four of them in the time of a round, and none is left behind at the
// end.
TEST_F(PassSteps, OfARoundOfManyArePlayedFaster) {
  engine::JobControl job;
  const model::Experiment experiment{.variant = "block_of_warps", .threads = 32, .elements = 32 * 32};
  auto trace = engine::host::makeHostEngine()->record(experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  replay_.load(*lab::steppedRun(std::move(*trace)));
  ASSERT_EQ(replay_.wholeRound().passes, 32u);
  replay_.togglePlaying();
  for (const unsigned pass : {4u, 8u, 12u, 16u, 20u, 24u, 28u, 31u}) {
    replay_.advance(1, 1);
    EXPECT_EQ(replay_.playhead(), (Playhead{0, 0, pass}));
  }
  replay_.advance(1, 1);
  EXPECT_EQ(replay_.playhead(), (Playhead{0, 1, 0}));
}

// Each thread adds in the order of the strides here: what was left by the pass before is what a pass begins
// with.
TEST_F(PassSteps, LeaveTheMemoryOfThePassBefore) {
  for (unsigned pass = 1; pass < 8; ++pass) {
    replay_.moveTo({0, 1, pass - 1});
    const auto left = replay_.round().snapshot;
    replay_.moveTo({0, 1, pass});
    EXPECT_EQ(replay_.shownPass()->before, left) << pass;
    EXPECT_NE(replay_.round().snapshot.bytes, left.bytes) << pass;
  }
  EXPECT_EQ(replay_.round().snapshot, replay_.wholeRound().snapshot);
}

// The reference: what the threads of the pass before were recorded to have stored. In the order of lanes a
// warp has done all its strides before the next one begins, so that it reads what the load left beyond its
// own.
TEST_F(PassSteps, TellOperandsThatAreNotWhatThePassBeforeLeft) {
  std::map<std::uint64_t, std::uint64_t> left;
  unsigned stale = 0;
  for (unsigned pass = 0; pass < 8; ++pass) {
    replay_.moveTo({0, 1, pass});
    for (const analysis::ThreadWork& work : replay_.flow().work)
      for (const analysis::Operand& operand : work.operands) {
        const auto stored = left.find(operand.element);
        const bool differs = stored != left.end() && stored->second != operand.bits;
        ASSERT_EQ(operand.left.has_value(), differs) << "pass " << pass << " thread " << work.thread;
        if (differs) {
          EXPECT_EQ(*operand.left, stored->second);
        }
        stale += differs;
      }
    for (const analysis::ThreadWork& work : replay_.flow().work)
      left[work.result->element] = work.result->bits;
  }
  EXPECT_GT(stale, 0u);
}

TEST_F(PassSteps, OfOneThreadStillCountAfterTheLast) {
  replay_.moveTo({0, 1, 7});
  ASSERT_EQ(replay_.flow().work.size(), 1u);
  EXPECT_TRUE(replay_.flow().work[0].useful) << "it writes what it has to the output";
  replay_.moveTo({0, 1, 6});
  ASSERT_EQ(replay_.flow().work.size(), 2u);
  EXPECT_TRUE(replay_.flow().work[0].useful);
}

}  // namespace
}  // namespace stridescope::session
