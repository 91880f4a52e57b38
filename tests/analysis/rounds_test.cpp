// Where rounds begin and end, who is active in them, and their strides.
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/analysis.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

std::vector<Round> roundsOf(const model::Trace& trace) { return analyse(trace).launches.at(0).rounds; }
std::vector<Round> roundsOf(const TraceBuilder& builder) { return roundsOf(builder.build()); }

class UnrolledLastWarp : public testing::TestWithParam<unsigned> {};  // threads

TEST_P(UnrolledLastWarp, TailHasARoundForEachStride) {
  const unsigned threads = GetParam();
  const model::Trace trace = support::ladderTrace("unrolled_last_warp", threads, model::ElementType::Int);
  ASSERT_TRUE(trace.ok);
  const auto rounds = roundsOf(trace);
  std::size_t r = 1;
  for (unsigned s = threads / 2; s > 32; s /= 2, ++r) {
    EXPECT_EQ(rounds.at(r).stride, s);
    EXPECT_EQ(rounds[r].activeLanes, s);
    EXPECT_EQ(rounds[r].endsWith, RoundEnd::BlockBarrier);
  }
  for (unsigned s = 32; s > 0; s /= 2, ++r) {
    const Round& round = rounds.at(r);
    EXPECT_EQ(round.stride, s);
    EXPECT_EQ(round.activeLanes, 32u) << "no lane is guarded";
    EXPECT_EQ(round.activeWarps, 1u);
    EXPECT_EQ(round.partialWarps, 0u);
    EXPECT_EQ(round.endsWith, RoundEnd::WarpBarrier);
    EXPECT_EQ(round.snapshot.from, SnapshotFrom::Copied);
    // The other warps' last events are the branches in the first of these rounds.
    EXPECT_EQ(round.lanes.at(32), s == 32 ? LaneState::IdleWarp : LaneState::Finished);
  }
  ASSERT_EQ(rounds.size(), r + 1);
  EXPECT_EQ(rounds[r].endsWith, RoundEnd::End);
  EXPECT_EQ(rounds[r].activeLanes, 1u);
  EXPECT_EQ(rounds[r].lanes[1], LaneState::Finished) << "it finds nothing left to do";
  EXPECT_EQ(rounds[r].snapshot.from, SnapshotFrom::Replayed);
}

INSTANTIATE_TEST_SUITE_P(EveryBlockSize, UnrolledLastWarp, testing::Values(64, 128, 256, 512, 1024));

// v += __shfl_down_sync(~0u, v, d), d = 16, 8, 4, 2, 1, in every warp; lane 0 stores, a barrier, warp 0
// reads. Only the first `loading` warps read the input before.
TraceBuilder shuffleReduction(unsigned warps, unsigned loading) {
  TraceBuilder b(warps * model::kWarpSize);
  const auto in = b.buffer("in", warps * model::kWarpSize);
  const auto sums = b.sharedArray("sums", 32);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "in[tid]"});
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "d > 0"});
  const auto shuffle = b.site(
      {.kind = model::SiteKind::WarpOperation, .text = "__shfl_down_sync(~0u, v, d)", .loops = {int(loop)}});
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "sums[warp]"});
  const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto read = b.site({.kind = model::SiteKind::Load, .text = "sums[lane]"});
  for (unsigned t = 0; t < loading * model::kWarpSize; ++t) b.load(t, load, in, t);
  for (unsigned warp = 0; warp < warps; ++warp) {
    for (unsigned d = 16; d > 0; d /= 2) {
      for (unsigned lane = 0; lane < 32; ++lane) b.branch(warp * 32 + lane, loop, true);
      b.shuffle(
          shuffle, warp, [&](unsigned lane) { return lane + d < 32 ? lane + d : lane; },
          [](unsigned) { return 1; });
    }
    for (unsigned lane = 0; lane < 32; ++lane) b.branch(warp * 32 + lane, loop, false);
    b.store(warp * 32, store, sums, warp, 32);
  }
  b.blockBarrier(barrier);
  for (unsigned t = 0; t < warps; ++t) b.load(t, read, sums, t);
  return b;
}

TEST(Shuffles, OpenTheRoundOfTheirDelta) {
  const auto rounds = roundsOf(shuffleReduction(2, 2));
  ASSERT_EQ(rounds.size(), 7u);  // load, five deltas, the last load
  EXPECT_EQ(rounds[0].endsWith, RoundEnd::Shuffle);
  EXPECT_EQ(rounds[0].stride, std::nullopt);
  EXPECT_EQ(rounds[0].activeLanes, 64u) << "global loads, as nothing else is done in it";
  unsigned delta = 16;
  for (std::size_t i = 1; i <= 5; ++i, delta /= 2) {
    EXPECT_EQ(rounds[i].stride, delta);
    EXPECT_EQ(rounds[i].activeLanes, 64u);
    EXPECT_EQ(rounds[i].endsWith, i < 5 ? RoundEnd::Shuffle : RoundEnd::BlockBarrier);
    EXPECT_EQ(rounds[i].snapshot.from, i < 5 ? SnapshotFrom::Carried : SnapshotFrom::Copied);
  }
  EXPECT_EQ(rounds[6].activeLanes, 2u);
  EXPECT_EQ(rounds[6].endsWith, RoundEnd::End);
}

// Tiles of eight lanes, each of which shuffles by itself, in a loop and then once more.
TEST(Shuffles, OfTilesOfAWarpAreInOneRound) {
  TraceBuilder b(32);
  const auto in = b.buffer("in", 32);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "in[tid]"});
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "d > 0"});
  const auto shuffle =
      b.site({.kind = model::SiteKind::WarpOperation, .text = "tile.shfl_down(v, d)", .loops = {int(loop)}});
  const auto last = b.site({.kind = model::SiteKind::WarpOperation, .text = "tile.shfl(v, 0)"});
  for (unsigned t = 0; t < 32; ++t) b.load(t, load, in, t);
  const auto one = [](unsigned) { return 1; };
  for (unsigned tile = 0; tile < 4; ++tile) {
    for (unsigned d = 4; d > 0; d /= 2) {
      for (unsigned lane = 0; lane < 8; ++lane) b.branch(tile * 8 + lane, loop, true);
      b.shuffle(
          shuffle, 0, [&](unsigned lane) { return lane % 8 + d < 8 ? lane + d : lane; }, one,
          0xffu << tile * 8);
    }
    for (unsigned lane = 0; lane < 8; ++lane) b.branch(tile * 8 + lane, loop, false);
    b.shuffle(
        last, 0, [](unsigned lane) { return lane / 8 * 8; }, one, 0xffu << tile * 8);
  }
  const auto rounds = roundsOf(b);
  ASSERT_EQ(rounds.size(), 5u);  // load, three deltas, the last shuffle
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(rounds[i].activeLanes, 32u) << i;
  EXPECT_EQ(rounds[1].stride, 4u);
  EXPECT_EQ(rounds[3].stride, 1u);
}

TEST(Shuffles, OfWarpsThatLoadedNothingAreInTheRoundsOfTheOthers) {
  const auto rounds = roundsOf(shuffleReduction(4, 2));
  ASSERT_EQ(rounds.size(), 7u);
  EXPECT_EQ(rounds[0].stride, std::nullopt);
  EXPECT_EQ(rounds[0].activeWarps, 2u);
  EXPECT_EQ(rounds[0].lanes[64], LaneState::IdleWarp);
  unsigned delta = 16;
  for (std::size_t i = 1; i <= 5; ++i, delta /= 2) {
    EXPECT_EQ(rounds[i].stride, delta);
    EXPECT_EQ(rounds[i].activeWarps, 4u);
  }
}

TEST(Shuffles, WithoutALoadBeforeThemBeginAtOnce) {
  const auto rounds = roundsOf(shuffleReduction(2, 0));
  ASSERT_EQ(rounds.size(), 6u);
  EXPECT_EQ(rounds[0].stride, 16u);
  EXPECT_EQ(rounds[4].stride, 1u);
}

TEST(Shuffles, ABroadcastHasNoDelta) {
  TraceBuilder b(32);
  const auto shuffle = b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_sync(~0u, v, 0)"});
  b.shuffle(
      shuffle, 0, [](unsigned) { return 0u; }, [](unsigned lane) { return lane; });
  const auto rounds = roundsOf(b);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].stride, std::nullopt);
  EXPECT_EQ(rounds[0].activeLanes, 32u);
}

TEST(Shuffles, ExchangeAcrossLanesHasTheMasksDelta) {
  TraceBuilder b(32);
  const auto shuffle = b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_xor_sync(~0u, v, 4)"});
  b.shuffle(
      shuffle, 0, [](unsigned lane) { return lane ^ 4; }, [](unsigned lane) { return lane; });
  EXPECT_EQ(roundsOf(b).at(0).stride, 4u);
}

struct Block {
  explicit Block(unsigned threads) : b(threads) {
    data = b.sharedArray("data", 2 * threads);
    in = b.buffer("in", 2 * threads);
    load = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
    loadOther = b.site({.kind = model::SiteKind::Load, .text = "data[tid + s]"});
    store = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = x"});
    warpBarrier = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()"});
    barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    loadInput = b.site({.kind = model::SiteKind::Load, .text = "in[i]"});
    branch = b.site({.kind = model::SiteKind::Branch, .text = "tid == 0"});
    vote = b.site({.kind = model::SiteKind::WarpOperation, .text = "__any_sync(~0u, p)"});
  }
  TraceBuilder b;
  std::uint32_t data, in, load, loadOther, store, warpBarrier, barrier, loadInput, branch, vote;
};

TEST(Rounds, AWarpBarrierBetweenReadingAndWritingEndsNone) {
  Block k(32);
  for (unsigned t = 0; t < 16; ++t) k.b.load(t, k.load, k.data, t);
  k.b.warpBarrier(k.warpBarrier, 0);
  for (unsigned t = 0; t < 16; ++t) k.b.store(t, k.store, k.data, t, 1);
  k.b.warpBarrier(k.warpBarrier, 0);
  k.b.load(0, k.load, k.data, 0);
  const auto rounds = roundsOf(k.b);
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].endsWith, RoundEnd::WarpBarrier);
  EXPECT_EQ(rounds[0].activeLanes, 16u);
  EXPECT_EQ(rounds[1].endsWith, RoundEnd::End);
}

TEST(Rounds, WarpsOwnRoundsAreAlignedByOrdinal) {
  // Warp 0 has two rounds between the block barriers, warp 1 has one, warp 2 none.
  Block k(96);
  for (int i = 0; i < 2; ++i) {
    for (unsigned t = 0; t < 32; ++t) k.b.store(t, k.store, k.data, t, 1);
    k.b.warpBarrier(k.warpBarrier, 0);
  }
  for (unsigned t = 32; t < 64; ++t) k.b.store(t, k.store, k.data, t, 1);
  k.b.warpBarrier(k.warpBarrier, 1);
  k.b.blockBarrier(k.barrier);
  const auto rounds = roundsOf(k.b);
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(rounds[0].activeWarps, 2u);
  EXPECT_EQ(rounds[1].activeWarps, 1u);
  EXPECT_EQ(rounds[1].lanes[32], LaneState::IdleWarp);
  EXPECT_EQ(rounds[0].lanes[64], LaneState::IdleWarp);
  EXPECT_EQ(rounds[2].endsWith, RoundEnd::BlockBarrier);
  EXPECT_EQ(rounds[2].activeLanes, 0u);
}

TEST(Rounds, NoneFollowsTheLastBarrierIfNothingIsAccessed) {
  Block k(32);
  for (unsigned t = 0; t < 32; ++t) k.b.store(t, k.store, k.data, t, 1);
  k.b.blockBarrier(k.barrier);
  for (unsigned t = 0; t < 32; ++t) k.b.branch(t, k.branch, t == 0);
  EXPECT_EQ(roundsOf(k.b).size(), 1u);
}

TEST(Rounds, OneEndsAtEveryBlockBarrierEvenIfNothingHappens) {
  Block k(32);
  k.b.blockBarrier(k.barrier);
  k.b.blockBarrier(k.barrier);
  EXPECT_EQ(roundsOf(k.b).size(), 2u);
}

TEST(Rounds, AKernelWithoutEventsHasNone) { EXPECT_TRUE(roundsOf(Block(32).b).empty()); }

TEST(LaneStates, TakingPartInAVoteIsActive) {
  Block k(32);
  for (unsigned t = 0; t < 32; ++t) k.b.load(t, k.loadInput, k.in, t);
  k.b.vote(
      k.vote, 0, [](unsigned lane) { return lane == 0; }, 0x000000ff);
  const auto rounds = roundsOf(k.b);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].activeLanes, 8u) << "global loads do not count beside it";
  EXPECT_EQ(rounds[0].partialWarps, 1u);
}

TEST(LaneStates, ReturnedThreadsAreFinished) {
  Block k(64);
  for (unsigned t = 0; t < 64; ++t) k.b.branch(t, k.branch, t == 0);
  std::vector<unsigned> stay(32);
  for (unsigned t = 0; t < 32; ++t) stay[t] = t;
  for (const unsigned t : stay) k.b.store(t, k.store, k.data, t, 1);
  k.b.blockBarrier(k.barrier, stay);
  k.b.load(0, k.load, k.data, 0);
  const auto rounds = roundsOf(k.b);
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].lanes[40], LaneState::IdleWarp);
  EXPECT_EQ(rounds[1].lanes[40], LaneState::Finished);
  EXPECT_EQ(rounds[1].lanes[0], LaneState::Active);
  EXPECT_EQ(rounds[1].lanes[1], LaneState::Finished);
  EXPECT_EQ(rounds[1].partialWarps, 1u);
}

TEST(LaneStates, AWarpThatIsNotFullIsNotPartialWhenAllItsThreadsWork) {
  Block k(40);
  for (unsigned t = 0; t < 40; ++t) k.b.store(t, k.store, k.data, t, 1);
  const auto rounds = roundsOf(k.b);
  EXPECT_EQ(rounds.at(0).activeWarps, 2u);
  EXPECT_EQ(rounds[0].partialWarps, 0u);
  EXPECT_EQ(rounds[0].lanes.size(), 40u);
}

// ---- Strides.

TEST(Stride, IsNullIfLanesDiffer) {
  Block k(32);
  for (unsigned t = 0; t < 4; ++t) {
    k.b.load(t, k.load, k.data, t);
    k.b.load(t, k.loadOther, k.data, t + (t == 3 ? 8 : 4));
  }
  EXPECT_EQ(roundsOf(k.b).at(0).stride, std::nullopt);
}

TEST(Stride, IsNullIfALaneHasOnlyOneOperand) {
  Block k(32);
  for (unsigned t = 0; t < 4; ++t) {
    k.b.load(t, k.load, k.data, t);
    if (t != 3) k.b.load(t, k.loadOther, k.data, t + 4);
  }
  EXPECT_EQ(roundsOf(k.b).at(0).stride, std::nullopt);
}

TEST(Stride, CountsElementsReadTwiceOnce) {
  Block k(32);
  k.b.load(0, k.load, k.data, 0);
  k.b.load(0, k.loadOther, k.data, 5);
  k.b.load(0, k.load, k.data, 0);
  EXPECT_EQ(roundsOf(k.b).at(0).stride, 5u);
}

TEST(Stride, OfAnOperandInARegisterIsTheDistanceToTheResult) {
  Block k(32);
  k.b.load(0, k.loadOther, k.data, 6);
  k.b.store(0, k.store, k.data, 2, 1);
  EXPECT_EQ(roundsOf(k.b).at(0).stride, 4u);
}

TEST(Stride, ReadingAndWritingOneElementIsNone) {
  Block k(32);
  k.b.load(0, k.load, k.data, 6);
  k.b.store(0, k.store, k.data, 6, 1);
  EXPECT_EQ(roundsOf(k.b).at(0).stride, std::nullopt);
}

TEST(Stride, OfDeviceMemoryCountsWhereSharedMemoryIsNotRead) {
  Block k(32);
  for (unsigned t = 0; t < 32; ++t) {
    k.b.load(t, k.loadInput, k.in, t);
    k.b.load(t, k.loadInput, k.in, t + 32);
    k.b.store(t, k.store, k.data, t, 1);
  }
  EXPECT_EQ(roundsOf(k.b).at(0).stride, 32u);

  Block other(32);
  for (unsigned t = 0; t < 32; ++t) {
    other.b.load(t, other.loadInput, other.in, t);
    other.b.load(t, other.loadInput, other.in, t + 32);
    other.b.load(t, other.load, other.data, t);
  }
  EXPECT_EQ(roundsOf(other.b).at(0).stride, std::nullopt) << "shared memory is read: it alone counts";
}

// What no event shows stands in the round of its thread's next event, or in the last one.
TEST(OtherActs, StandInTheRoundInWhichTheyWereDone) {
  TraceBuilder b(64);
  const auto data = b.sharedArray("data", 64);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[tid]"});
  const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "data[63 - tid]"});
  for (unsigned t = 0; t < 64; ++t) b.store(t, store, data, t, t);
  b.blockBarrier(barrier);
  for (unsigned t = 0; t < 32; ++t) b.load(t, load, data, 63 - t);
  model::Trace trace = b.build();
  auto& others = trace.launches[0].recorded().others;
  others.resize(5);
  others[0].eventsBefore = 1;                         // before the barrier
  others[1].eventsBefore = 2;                         // before the load
  others[2].eventsBefore = 3;                         // behind it
  others[3].thread = 40, others[3].eventsBefore = 2;  // behind its last event, the barrier
  others[4].thread = 40;
  const auto rounds = roundsOf(trace);
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[0].others, (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(rounds[1].others, (std::vector<std::uint32_t>{1, 2, 3}));
}

}  // namespace
}  // namespace stridescope::analysis
