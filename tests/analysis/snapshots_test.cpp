// Shared memory after each round: copied, carried and replayed.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "analysis/analysis.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

std::vector<Round> roundsIn(const model::Trace& trace) { return analyse(trace).launches.at(0).rounds; }

// The int at that element, if all of its bytes are known.
std::optional<int> elementOf(const Snapshot& snapshot, std::size_t element) {
  for (std::size_t i = 4 * element; i < 4 * element + 4; ++i)
    if (!snapshot.known.at(i)) return std::nullopt;
  int value = 0;
  std::memcpy(&value, snapshot.bytes.data() + 4 * element, 4);
  return value;
}

struct BuiltKernel {
  explicit BuiltKernel(unsigned threads) : b(threads) {
    data = b.sharedArray("data", threads);
    more = b.sharedArray("more", 4);
    load = b.site({.kind = model::SiteKind::Load, .text = "data[tid]"});
    store = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = x"});
    warpBarrier = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()"});
    barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    atomic = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&more[0], x)"});
  }
  TraceBuilder b;
  std::uint32_t data, more, load, store, warpBarrier, barrier, atomic;
};

// The ladder, worked out again on a plain array.
TEST(Snapshots, OfTheSequentialRungAreItsPartialSums) {
  const auto rounds = roundsIn(support::ladderTrace("sequential", 64, model::ElementType::Int));
  std::vector<int> data(64);
  for (int i = 0; i < 64; ++i) data[std::size_t(i)] = i;
  std::size_t r = 0;
  for (std::size_t s = 64; s > 0; s /= 2, ++r) {
    for (std::size_t t = 0; s < 64 && t < s; ++t) data[t] += data[t + s];
    for (std::size_t i = 0; i < 64; ++i)
      ASSERT_EQ(elementOf(rounds.at(r).snapshot, i), data[i]) << "round " << r;
    EXPECT_EQ(rounds[r].snapshot.from, SnapshotFrom::Copied);
  }
  EXPECT_EQ(rounds.at(r).snapshot.from, SnapshotFrom::Replayed);
  EXPECT_EQ(elementOf(rounds[r].snapshot, 0), 64 * 63 / 2);
}

TEST(Snapshots, OfTheUnrolledTailFollowTheWarp) {
  const auto rounds = roundsIn(support::ladderTrace("unrolled_last_warp", 64, model::ElementType::Int));
  std::vector<int> data(64);
  for (int i = 0; i < 64; ++i) data[std::size_t(i)] = i + (i + 64);
  std::size_t r = 1;
  for (std::size_t s = 32; s > 0; s /= 2, ++r) {
    std::vector<int> before = data;
    for (std::size_t t = 0; t < 32; ++t) data[t] = before[t] + before[t + s];
    EXPECT_EQ(rounds.at(r).snapshot.from, SnapshotFrom::Copied);
    for (std::size_t i = 0; i < 64; ++i)
      ASSERT_EQ(elementOf(rounds[r].snapshot, i), data[i]) << "round " << r;
  }
}

TEST(Snapshots, WordsNeverWrittenAreUnknown) {
  BuiltKernel k(32);
  k.b.poke(k.data, 9, 99);  // whatever lay there
  k.b.store(3, k.store, k.data, 3, 33);
  k.b.blockBarrier(k.barrier);
  k.b.store(4, k.store, k.data, 4, 44);
  const auto rounds = roundsIn(k.b.build());
  EXPECT_EQ(elementOf(rounds.at(0).snapshot, 3), 33);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 9), std::nullopt);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 4), std::nullopt);
  EXPECT_EQ(elementOf(rounds.at(1).snapshot, 3), 33);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 4), 44);
  EXPECT_EQ(rounds[1].snapshot.from, SnapshotFrom::Replayed);
}

TEST(Snapshots, WhatAnotherBlockStoredBetweenTwoBarriersIsKnown) {
  BuiltKernel k(32);
  k.b.store(3, k.store, k.data, 3, 33);
  k.b.blockBarrier(k.barrier);
  k.b.poke(k.data, 9, 99);
  k.b.blockBarrier(k.barrier);
  k.b.store(4, k.store, k.data, 4, 44);
  const auto rounds = roundsIn(k.b.build());
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 9), std::nullopt);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 9), 99);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 8), std::nullopt);
  EXPECT_EQ(elementOf(rounds[2].snapshot, 9), 99);
}

TEST(Snapshots, AWarpBarrierCopiesItsWarpsWordsAndCarriesTheRest) {
  BuiltKernel k(64);
  for (unsigned t = 0; t < 64; ++t) k.b.store(t, k.store, k.data, t, 1);
  k.b.blockBarrier(k.barrier);
  for (unsigned t = 0; t < 64; ++t) k.b.store(t, k.store, k.data, t, 2);  // warp 1 comes to no barrier
  k.b.warpBarrier(k.warpBarrier, 0);
  k.b.blockBarrier(k.barrier);
  const auto rounds = roundsIn(k.b.build());
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_EQ(rounds[1].snapshot.from, SnapshotFrom::Copied);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 0), 2);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 40), 1) << "carried";
  EXPECT_EQ(elementOf(rounds[2].snapshot, 40), 2);
}

TEST(Snapshots, AWordThatWasReadButNeverWrittenStaysUnknown) {
  BuiltKernel k(32);
  k.b.poke(k.data, 9, 99);
  k.b.load(0, k.load, k.data, 9);
  k.b.store(0, k.store, k.data, 0, 1);
  k.b.warpBarrier(k.warpBarrier, 0);
  const auto rounds = roundsIn(k.b.build());
  EXPECT_EQ(rounds.at(0).snapshot.from, SnapshotFrom::Copied);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 0), 1);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 9), std::nullopt);
}

TEST(Snapshots, NothingCopiedIsCarried) {
  BuiltKernel k(32);
  k.b.store(0, k.store, k.data, 0, 5);
  k.b.blockBarrier(k.barrier);
  k.b.store(1, k.store, k.data, 1, 6);
  k.b.warpBarrier(k.warpBarrier, 0);
  model::Trace trace = k.b.build();
  trace.launches[0].recorded().copied.clear();
  const auto rounds = roundsIn(trace);
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(rounds[1].snapshot.from, SnapshotFrom::Carried);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 0), 5);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 1), std::nullopt) << "nobody looked";
}

TEST(Snapshots, TheLastRoundAddsItsStoresToWhatWarpBarriersLeft) {
  BuiltKernel k(32);
  k.b.store(0, k.store, k.data, 0, 5);
  k.b.warpBarrier(k.warpBarrier, 0);
  k.b.load(0, k.load, k.data, 0);
  k.b.warpBarrier(k.warpBarrier, 0);  // copies what the store below overwrites
  k.b.store(0, k.store, k.data, 0, 7);
  k.b.store(1, k.store, k.data, 1, 8);
  const auto rounds = roundsIn(k.b.build());
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 0), 5);
  EXPECT_EQ(rounds[1].snapshot.from, SnapshotFrom::Replayed);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 0), 7);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 1), 8);
}

TEST(Snapshots, ABarrierThatNeverCompletedIsReplayed) {
  BuiltKernel k(32);
  k.b.store(0, k.store, k.data, 0, 5);
  k.b.blockBarrier(k.barrier, {0, 1, 2});
  model::Trace trace = k.b.build();
  trace.launches[0].recorded().barrierCopies.clear();
  const auto rounds = roundsIn(trace);
  ASSERT_EQ(rounds.size(), 1u);
  EXPECT_EQ(rounds[0].snapshot.from, SnapshotFrom::Replayed);
  EXPECT_EQ(elementOf(rounds[0].snapshot, 0), 5);
}

TEST(Snapshots, WhatAnAtomicLeavesIsCopiedButNotReplayed) {
  BuiltKernel k(32);
  k.b.store(0, k.store, k.more, 0, 1);
  k.b.atomic(1, k.atomic, k.more, 0, 2, 3);
  k.b.blockBarrier(k.barrier);
  k.b.atomic(2, k.atomic, k.more, 0, 4, 7);
  const auto rounds = roundsIn(k.b.build());
  EXPECT_EQ(elementOf(rounds.at(0).snapshot, 32), 3) << "`more` lies behind the 32 elements of `data`";
  EXPECT_EQ(elementOf(rounds.at(1).snapshot, 32), std::nullopt);
}

TEST(Snapshots, WhatAnAtomicLeavesIsKnownOnceAWarpBarrierCopiedIt) {
  BuiltKernel k(32);
  k.b.atomic(0, k.atomic, k.more, 0, 2, 9);
  k.b.warpBarrier(k.warpBarrier, 0);
  k.b.store(1, k.store, k.data, 1, 8);
  const auto rounds = roundsIn(k.b.build());
  ASSERT_EQ(rounds.size(), 2u);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 32), 9);
  EXPECT_EQ(elementOf(rounds[1].snapshot, 1), 8);
}

TEST(Snapshots, EndWithTheBudgetAndSaySo) {
  // Thousands of barriers over much shared memory that holds nothing: a file may claim that.
  TraceBuilder b(1);
  b.sharedArray("data", 200 << 10, 1);
  const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  for (int i = 0; i < 3000; ++i)
    b.raw(0, {recording::eventHead(0, barrier, model::EventKind::BlockBarrier, 0, 0), 0});
  const model::Trace trace = b.build();
  MemoryBudget budget(64 << 20);
  const LaunchAnalysis analysis = analyse(trace, budget).launches.at(0);
  // Each needs its bytes, a bit for each that tells whether it is known, and one that tells whether it is
  // live.
  EXPECT_GT(analysis.rounds.size(), 200u);
  EXPECT_LT(analysis.rounds.size(), (64u << 20) / (200u << 10));
  for (const Round& round : analysis.rounds) EXPECT_EQ(round.snapshot.bytes.size(), 200u << 10);
  ASSERT_EQ(analysis.problems.size(), 1u);
  EXPECT_EQ(analysis.problems[0].kind, model::ProblemKind::Limit);
  EXPECT_NE(analysis.problems[0].text.find("up to round " + std::to_string(analysis.rounds.size() - 1) + ":"),
            std::string::npos)
      << analysis.problems[0].text;
}

TEST(Snapshots, BothHalvesOfAWideStoreAreReplayed) {
  TraceBuilder b(32);
  const auto wide = b.sharedArray("wide", 2, 16);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "wide[0]"});
  b.raw(0, {recording::eventHead(16, store, model::EventKind::Store, wide, 4), 0x0000000200000001});
  b.raw(0, {recording::eventHead(24, store, model::EventKind::Store, wide, 4, true), 0x0000000400000003});
  const auto rounds = roundsIn(b.build());
  EXPECT_EQ(elementOf(rounds.at(0).snapshot, 3), std::nullopt);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(elementOf(rounds[0].snapshot, 4 + i), int(i) + 1);
}

// As a damaged file may have it: the event behind a wide store claims to be its other half, elsewhere.
TEST(Snapshots, WhatOnlyClaimsToBeAHalfIsNotReplayed) {
  using recording::eventHead;
  TraceBuilder b(32);
  const auto wide = b.sharedArray("wide", 2, 16);
  const auto out = b.buffer("out", 4);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "wide[0]"});
  const auto other = b.site({.kind = model::SiteKind::Store, .text = "out[0]"});
  const std::uint64_t far = 0x4141414140;
  for (const model::Event& forged :
       {model::Event{eventHead(far, store, model::EventKind::Store, wide, 3, true), ~0ull},
        model::Event{eventHead(far, store, model::EventKind::Store, out, 4, true), ~0ull},
        model::Event{eventHead(8, other, model::EventKind::Store, wide, 4, true), ~0ull},
        model::Event{eventHead(8, store, model::EventKind::Load, wide, 4, true), ~0ull}}) {
    TraceBuilder damaged = b;
    damaged.raw(0, {eventHead(0, store, model::EventKind::Store, wide, 4), 0x0000000200000001});
    damaged.raw(0, forged);
    damaged.raw(1, {eventHead(0, store, model::EventKind::Store, wide, 4), 0x0000000200000001});
    const auto rounds = roundsIn(damaged.build());
    EXPECT_EQ(elementOf(rounds.at(0).snapshot, 0), 1);
    EXPECT_EQ(elementOf(rounds[0].snapshot, 2), std::nullopt);
  }
}

// An offset beyond its array, which no trace without a fault has, changes nothing.
TEST(Snapshots, WhatLiesBeyondItsArrayIsNotReplayed) {
  TraceBuilder b(32);
  const auto first = b.sharedArray("first", 4);
  const auto second = b.sharedArray("second", 4);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "first[9]"});
  for (const std::uint64_t offset : {13ull, 16ull, 17ull, 1ull << 39})
    for (const auto array : {first, second})
      b.raw(0, {recording::eventHead(offset, store, model::EventKind::Store, array, 2), ~0ull});
  const auto rounds = roundsIn(b.build());
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(elementOf(rounds.at(0).snapshot, i), std::nullopt);
}

}  // namespace
}  // namespace stridescope::analysis
