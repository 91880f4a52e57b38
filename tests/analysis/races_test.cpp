// Races that are there are found, with both sides named; kernels that are right have none.
#include "analysis/races.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/analysis.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

std::vector<Race> racesOf(const model::Trace& trace) { return analyse(trace).launches.at(0).races; }

struct RacyKernel {
  explicit RacyKernel(unsigned threads) : b(threads) {
    data = b.sharedArray("data", 2 * threads);
    out = b.buffer("out", 2 * threads);
    load = b.site({.kind = model::SiteKind::Load, .text = "data[tid + s]"});
    store = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = x"});
    warpBarrier = b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()"});
    barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    atomic = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&out[0], x)"});
    shuffle = b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_sync(~0u, v, 0)"});
    loadOut = b.site({.kind = model::SiteKind::Load, .text = "out[0]"});
    loadAgain = b.site({.kind = model::SiteKind::Load, .text = "data[0]"});
  }
  std::vector<Race> races() const { return racesOf(b.build()); }

  TraceBuilder b;
  std::uint32_t data, out, load, store, warpBarrier, barrier, atomic, shuffle, loadOut, loadAgain;
};

TEST(Races, NoneInTheLadder) {
  for (const char* variant : {"interleaved_modulo", "interleaved_contiguous", "sequential",
                              "first_add_on_load", "unrolled_last_warp"})
    for (const unsigned threads : {64u, 256u, 1024u})
      for (const model::ElementType type : model::kElementTypes)
        EXPECT_TRUE(racesOf(support::ladderTrace(variant, threads, type)).empty())
            << variant << ", " << threads;
}

// Takes the barrier's events (and the copy made there) out of a trace.
model::Trace without(model::Trace trace, model::EventKind barrier) {
  model::LaunchTrace& launch = trace.launches[0];
  std::vector<model::Event> events;
  std::vector<std::uint32_t> first{0};
  for (std::uint32_t t = 0; t < launch.block; ++t) {
    for (std::uint32_t i = launch.recorded().first[t]; i < launch.recorded().first[t + 1]; ++i)
      if (launch.recorded().events[i].kind() != barrier) events.push_back(launch.recorded().events[i]);
    first.push_back(std::uint32_t(events.size()));
  }
  launch.recorded().events = events;
  launch.recorded().first = first;
  if (barrier == model::EventKind::BlockBarrier) launch.recorded().barrierCopies.clear();
  if (barrier == model::EventKind::WarpBarrier) launch.recorded().copied.clear();
  return trace;
}

TEST(Races, EveryRungHasSomeWithoutItsBarriers) {
  for (const char* variant : {"interleaved_modulo", "interleaved_contiguous", "sequential",
                              "first_add_on_load", "unrolled_last_warp"})
    EXPECT_FALSE(racesOf(without(support::ladderTrace(variant, 256, model::ElementType::Int),
                                 model::EventKind::BlockBarrier))
                     .empty())
        << variant;
}

TEST(Races, AWarpIsNotTakenToRunInLockstep) {
  // One warp, so that lockstep alone would keep it right.
  const model::Trace trace = support::ladderTrace("unrolled_last_warp", 64, model::ElementType::Int);
  ASSERT_TRUE(racesOf(trace).empty());
  EXPECT_FALSE(racesOf(without(trace, model::EventKind::WarpBarrier)).empty());
}

TEST(Races, BothSidesAreNamed) {
  RacyKernel k(64);
  k.b.store(40, k.store, k.data, 4, 1);
  k.b.load(3, k.load, k.data, 4);
  const auto races = k.races();
  ASSERT_EQ(races.size(), 1u);
  const Race& race = races[0];
  EXPECT_EQ(race.round, 0u);
  EXPECT_TRUE(race.shared);
  EXPECT_EQ(race.array, 0u);
  EXPECT_EQ(race.element, 4u);
  EXPECT_EQ(race.first.thread, 40u) << "thread 3 read what it wrote";
  EXPECT_EQ(race.first.site, k.store);
  EXPECT_EQ(race.first.kind, model::EventKind::Store);
  EXPECT_EQ(race.second.thread, 3u);
  EXPECT_EQ(race.second.site, k.load);
  EXPECT_EQ(race.second.kind, model::EventKind::Load);
}

// data[4] is `before` behind a barrier; then thread 40 stores `stored`, and thread 3 loads it first or last.
Race loadAndStore(std::uint64_t before, std::uint64_t stored, bool loadFirst) {
  RacyKernel k(64);
  k.b.store(4, k.store, k.data, 4, before);
  k.b.blockBarrier(k.barrier);
  if (loadFirst) k.b.load(3, k.load, k.data, 4);
  k.b.store(40, k.store, k.data, 4, stored);
  if (!loadFirst) k.b.load(3, k.load, k.data, 4);
  const auto races = k.races();
  EXPECT_EQ(races.size(), 1u);
  return races.empty() ? Race() : races[0];
}

TEST(RaceOrder, IsToldByTheValueThatWasRead) {
  const Race after = loadAndStore(7, 9, false);
  EXPECT_TRUE(after.orderKnown);
  EXPECT_EQ(after.first.thread, 40u);
  EXPECT_EQ(after.second.thread, 3u);
  const Race before = loadAndStore(7, 9, true);
  EXPECT_TRUE(before.orderKnown);
  EXPECT_EQ(before.first.thread, 3u);
  EXPECT_EQ(before.second.thread, 40u);
  EXPECT_FALSE(loadAndStore(9, 9, true).orderKnown) << "both orders give the same";
  EXPECT_FALSE(loadAndStore(9, 9, false).orderKnown);
}

TEST(RaceOrder, IsUnknownWhereAThirdThreadMayHaveWrittenTheValue) {
  RacyKernel k(64);
  k.b.store(40, k.store, k.data, 4, 9);
  k.b.store(41, k.loadAgain, k.data, 4, 9);
  k.b.load(3, k.load, k.data, 4);
  for (const Race& race : k.races())
    EXPECT_FALSE(race.orderKnown &&
                 (race.first.kind == model::EventKind::Load || race.second.kind == model::EventKind::Load));
}

TEST(RaceOrder, OfTwoStoresIsToldByWhatRemains) {
  for (const unsigned last : {3u, 40u}) {
    RacyKernel k(64);
    k.b.store(last == 3 ? 40 : 3, k.store, k.data, 4, 1);
    k.b.store(last, k.store, k.data, 4, 2);
    k.b.blockBarrier(k.barrier);
    k.b.load(0, k.load, k.data, 0);
    const auto races = k.races();
    ASSERT_EQ(races.size(), 1u);
    EXPECT_TRUE(races[0].orderKnown);
    EXPECT_EQ(races[0].second.thread, last);
  }
}

// Thread 3 stores twice and the value between: the load came after the first and before the second.
TEST(RaceOrder, TellsTheStoresOfOneThreadApart) {
  RacyKernel k(64);
  k.b.store(3, k.store, k.data, 4, 1);
  k.b.load(40, k.load, k.data, 4);
  k.b.store(3, k.store, k.data, 4, 2);
  const auto races = k.races();
  ASSERT_EQ(races.size(), 1u);
  ASSERT_TRUE(races[0].orderKnown);
  EXPECT_EQ(races[0].first.thread, 3u);
  EXPECT_EQ(races[0].second.thread, 40u);
}

TEST(RaceOrder, AnAtomicTellsNone) {
  RacyKernel k(64);
  k.b.atomic(0, k.atomic, k.out, 0, 1, 1);
  k.b.load(63, k.loadOut, k.out, 0);
  ASSERT_EQ(k.races().size(), 1u);
  EXPECT_FALSE(k.races()[0].orderKnown);
}

// Thread 1 reads what thread 2 wrote before thread 31 reads what thread 32 did.
TEST(Races, ThoseAcrossWarpsAreTheExample) {
  RacyKernel k(64);
  for (unsigned t = 0; t < 64; ++t) k.b.store(t, k.store, k.data, t, t + 1);
  for (unsigned t = 0; t < 32; ++t) k.b.load(t, k.load, k.data, t + 1);
  const auto races = k.races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].element, 32u);
  EXPECT_NE(races[0].first.thread / 32, races[0].second.thread / 32);
}

TEST(Races, ReadersAloneDoNotRace) {
  RacyKernel k(64);
  for (unsigned t = 0; t < 64; ++t) k.b.load(t, k.load, k.data, 0);
  EXPECT_TRUE(k.races().empty());
}

TEST(Races, AThreadDoesNotRaceWithItself) {
  RacyKernel k(64);
  for (int i = 0; i < 2; ++i) {
    k.b.store(5, k.store, k.data, 0, 1);
    k.b.load(5, k.load, k.data, 0);
  }
  EXPECT_TRUE(k.races().empty());
}

TEST(Races, TwoLanesWritingOneElementAtOnceRace) {
  RacyKernel k(32);
  k.b.store(0, k.store, k.data, 7, 1);
  k.b.store(1, k.store, k.data, 7, 1);
  const auto races = k.races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].first.site, races[0].second.site);
}

TEST(Races, AnyEarlierReaderCounts) {
  // Threads 40, 3 and 41 read what thread 3 then writes: its own read, though in the middle, hides nothing.
  for (const unsigned writer : {40u, 3u, 41u}) {
    RacyKernel k(64);
    for (const unsigned reader : {40u, 3u, 41u}) k.b.load(reader, k.load, k.data, 0);
    k.b.store(writer, k.store, k.data, 0, 1);
    EXPECT_EQ(k.races().size(), 1u) << writer;
  }
}

TEST(Races, AnyEarlierReaderOfTheSameWarpCounts) {
  for (const unsigned writer : {0u, 1u}) {
    RacyKernel k(32);
    for (const unsigned reader : {0u, 1u}) k.b.load(reader, k.load, k.data, 0);
    k.b.store(writer, k.store, k.data, 0, 1);
    EXPECT_EQ(k.races().size(), 1u) << writer;
  }
}

TEST(Races, NothingIsForgottenInALargeBlock) {
  RacyKernel k(1024);
  for (unsigned t = 0; t < 1024; ++t) {
    k.b.store(t, k.store, k.data, t, 1);
    k.b.store(t, k.store, k.data, 1024 + t, 1);
  }
  k.b.load(1000, k.load, k.data, 3);
  ASSERT_EQ(k.races().size(), 1u);
  EXPECT_EQ(k.races()[0].element, 3u);
}

TEST(Races, ABlockBarrierOrders) {
  RacyKernel k(64);
  k.b.store(40, k.store, k.data, 4, 1);
  k.b.blockBarrier(k.barrier);
  k.b.load(3, k.load, k.data, 4);
  EXPECT_TRUE(k.races().empty());
}

TEST(Races, AWarpBarrierOrdersItsLanesOnly) {
  const auto racesWithBarrier = [](std::uint32_t mask, unsigned reader) {
    RacyKernel k(64);
    k.b.store(1, k.store, k.data, 4, 1);
    k.b.warpBarrier(k.warpBarrier, 0, mask);
    k.b.load(reader, k.load, k.data, 4);
    return k.races().size();
  };
  EXPECT_EQ(racesWithBarrier(~0u, 2), 0u);
  EXPECT_EQ(racesWithBarrier(0b110, 2), 0u);
  EXPECT_EQ(racesWithBarrier(0b1100, 2), 1u) << "the writer took no part";
  EXPECT_EQ(racesWithBarrier(0b11, 2), 1u) << "the reader took no part";
  EXPECT_EQ(racesWithBarrier(~0u, 33), 1u) << "another warp";
}

TEST(Races, OrderPassesOnThroughALaneBetween) {
  RacyKernel k(32);
  k.b.store(0, k.store, k.data, 4, 1);
  k.b.warpBarrier(k.warpBarrier, 0, 0b011);
  k.b.warpBarrier(k.warpBarrier, 0, 0b110);
  k.b.load(2, k.load, k.data, 4);
  EXPECT_TRUE(k.races().empty());
}

TEST(Races, AShuffleOrdersNoMemory) {
  RacyKernel k(32);
  k.b.store(1, k.store, k.data, 4, 1);
  k.b.shuffle(
      k.shuffle, 0, [](unsigned) { return 0u; }, [](unsigned) { return 0u; });
  k.b.load(2, k.load, k.data, 4);
  EXPECT_EQ(k.races().size(), 1u);
}

TEST(Races, AtomicsDoNotRaceWithEachOther) {
  RacyKernel k(64);
  for (unsigned t = 0; t < 64; ++t) k.b.atomic(t, k.atomic, k.out, 0, 1, t + 1);
  EXPECT_TRUE(k.races().empty());
  k.b.load(63, k.loadOut, k.out, 0);
  const auto races = k.races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_FALSE(races[0].shared);
  EXPECT_EQ(races[0].array, 0u);
}

TEST(Races, OneForAPairOfSitesInARound) {
  RacyKernel k(64);
  for (int round = 0; round < 2; ++round) {
    for (unsigned t = 0; t < 64; ++t) k.b.store(t, k.store, k.data, t, 1);
    for (unsigned t = 0; t < 63; ++t) k.b.load(t, k.load, k.data, t + 1);
    k.b.load(9, k.loadAgain, k.data, 0);
    k.b.blockBarrier(k.barrier);
  }
  const auto races = k.races();
  ASSERT_EQ(races.size(), 4u);  // two pairs in each of two rounds
  EXPECT_EQ(races[0].round, 0u);
  EXPECT_EQ(races[3].round, 1u);
}

// Thread 31 reads what thread 32 wrote, all others what a neighbour in their warp wrote.
TEST(Races, OfOneWarpAreToldFromThoseAcrossWarps) {
  for (const unsigned readers : {31u, 32u}) {
    RacyKernel k(64);
    for (unsigned t = 0; t < 64; ++t) k.b.store(t, k.store, k.data, t, 1);
    for (unsigned t = 0; t < readers; ++t) k.b.load(t, k.load, k.data, t + 1);
    const auto races = k.races();
    ASSERT_EQ(races.size(), 1u);
    EXPECT_EQ(races[0].acrossWarps, readers == 32);
  }
}

TEST(Races, RoundIsThatOfTheSecondAccess) {
  RacyKernel k(64);
  k.b.store(0, k.store, k.data, 4, 1);
  k.b.warpBarrier(k.warpBarrier, 0);  // ends a round of warp 0, orders nothing for warp 1
  k.b.store(0, k.store, k.data, 5, 1);
  k.b.store(40, k.store, k.data, 9, 1);
  k.b.warpBarrier(k.warpBarrier, 1);
  k.b.load(40, k.load, k.data, 4);
  const auto races = k.races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].round, 1u);
}

TEST(Races, PartsOfAWordAreToldApart) {
  TraceBuilder b(32);
  const auto bytes = b.sharedArray("bytes", 32, 1);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "bytes[tid]"});
  for (unsigned t = 0; t < 32; ++t) b.store(t, store, bytes, t, t);
  EXPECT_TRUE(racesOf(b.build()).empty());
}

TEST(Races, AWideAccessTouchesAllItCovers) {
  TraceBuilder b(32);
  const auto data = b.sharedArray("data", 32);
  const auto narrow = b.site({.kind = model::SiteKind::Store, .text = "data[3]"});
  const auto wide = b.site({.kind = model::SiteKind::Load, .text = "wide[0]"});
  b.store(0, narrow, data, 3, 1);
  b.raw(1, {recording::eventHead(0, wide, model::EventKind::Load, data, 4), 0});
  b.raw(1, {recording::eventHead(8, wide, model::EventKind::Load, data, 4, true), 0});
  const auto races = racesOf(b.build());
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].element, 3u);
}

TEST(WarpClock, KnowsWhoMetWhom) {
  WarpClock clock;
  const std::uint32_t start = clock.phase();
  clock.meet(0b0011);
  EXPECT_EQ(clock.unordered(0b0010, start, 0), 0u);
  EXPECT_EQ(clock.unordered(0b0100, start, 0), 0b0100u);
  EXPECT_EQ(clock.unordered(0b0010, clock.phase(), 0), 0b0010u) << "what lane 1 does after the meeting";
  EXPECT_EQ(clock.unordered(0b0001, clock.phase(), 0), 0u) << "its own";
  clock.meet(~0u);
  EXPECT_EQ(clock.unordered(~0u, start, 5), 0u);
}

// If many sites access one element, each access is compared with all before it.
TEST(Races, TheSearchEndsWithTheBudget) {
  TraceBuilder b(1024);
  const auto data = b.sharedArray("data", 1024);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = x"});
  for (unsigned thread = 0; thread < 1024; ++thread) b.store(thread, store, data, thread, 1);
  const model::Trace trace = b.build();
  const Analysis analysis = analyse(trace);
  const model::LaunchTrace& launch = trace.launches.at(0);
  EXPECT_EQ(findRaces(launch, trace.sites, analysis.launches[0].rounds, MemoryBudget()).endedIn,
            std::nullopt);
  EXPECT_EQ(findRaces(launch, trace.sites, analysis.launches[0].rounds, MemoryBudget(1000)).endedIn, 0u);
}

// A text of tens of thousands of accesses to one element has more pairs of them than anybody reads.
TEST(Races, TheSearchEndsAtVeryManyOfThem) {
  TraceBuilder b(64);
  const auto data = b.sharedArray("data", 1);
  for (int i = 0; i < 370; ++i) {
    const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[0] = " + std::to_string(i)});
    for (const unsigned thread : {0u, 32u}) b.store(thread, store, data, 0, std::uint64_t(i));
  }
  const model::Trace trace = b.build();
  const Analysis analysis = analyse(trace);
  const RaceSearch search =
      findRaces(trace.launches[0], trace.sites, analysis.launches[0].rounds, MemoryBudget());
  EXPECT_EQ(search.endedIn, 0u) << "of 370 x 371 / 2 pairs";
  EXPECT_GE(search.races.size(), std::size_t{1} << 16);
  EXPECT_LE(search.races.size(), (std::size_t{1} << 16) + 370) << "one operation's more";
}

}  // namespace
}  // namespace stridescope::analysis
