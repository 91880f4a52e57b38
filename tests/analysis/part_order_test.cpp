// Barriers of a part of the block order the threads that meet there, and no others.
#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "analysis/races.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

// Three warps, of which each thread stores to data, or loads what another warp's thread stored.
struct Warps {
  Warps() : b(96) {
    data = b.sharedArray("data", 96);
    store = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = tid"});
    load = b.site({.kind = model::SiteKind::Load, .text = "data[other]"});
  }
  void storeOwn(unsigned warp) {
    for (unsigned lane = 0; lane < 32; ++lane)
      b.store(32 * warp + lane, store, data, 32 * warp + lane, lane), ++events[warp];
  }
  void loadOf(unsigned warp, unsigned other) {
    for (unsigned lane = 0; lane < 32; ++lane)
      b.load(32 * warp + lane, load, data, 32 * other + lane), ++events[warp];
  }
  // After what each of their threads did so far.
  void meet(unsigned one, unsigned other) {
    for (const unsigned warp : {one, other}) act(warp, next, model::MeetingPart::Meets);
    ++next;
  }
  void act(unsigned warp, unsigned meeting, model::MeetingPart part, unsigned lanes = 32) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      meetings.push_back({32 * warp + lane, events[warp] / 32, meeting, part});
  }
  void arrive(unsigned warp, unsigned meeting) { act(warp, meeting, model::MeetingPart::Arrives); }
  void wait(unsigned warp, unsigned meeting) { act(warp, meeting, model::MeetingPart::Waits); }
  void syncWarp(unsigned warp) {
    b.warpBarrier(b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()"}), warp);
    events[warp] += 32;
  }
  std::vector<Race> races() {
    model::Trace trace = b.build();
    std::ranges::stable_sort(meetings, {}, &model::PartMeeting::thread);
    trace.launches[0].recorded().meetings = meetings;
    return analyse(trace).launches.at(0).races;
  }

  TraceBuilder b;
  std::uint32_t data, store, load;
  unsigned events[3] = {};
  std::vector<model::PartMeeting> meetings;
  std::uint32_t next = 0;
};

TEST(PartOrder, WithoutABarrierTheyRace) {
  Warps w;
  w.storeOwn(0);
  w.loadOf(1, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

TEST(PartOrder, WhatWasStoredBeforeTheyMetMayBeLoaded) {
  Warps w;
  w.storeOwn(0);
  w.meet(0, 1);
  w.loadOf(1, 0);
  EXPECT_TRUE(w.races().empty());
}

// A lock that is given back by a volatile store, while others try to take it.
TEST(PartOrder, AnAtomicOperationAndAStoreThatHandsOverAreNoRace) {
  for (const bool handsOver : {true, false}) {
    TraceBuilder b(64);
    const auto lock = b.sharedArray("lock", 1);
    const auto take = b.site({.kind = model::SiteKind::Atomic, .text = "atomicCAS(&lock, 0, 1)"});
    const auto giveBack =
        b.site({.kind = model::SiteKind::Store, .text = "lock = 0", .handsOver = handsOver});
    b.atomic(0, take, lock, 0, 1, 1);
    b.atomic(32, take, lock, 0, 1, 1);
    b.store(0, giveBack, lock, 0, 0);
    EXPECT_EQ(analyse(b.build()).launches.at(0).races.empty(), handsOver);
  }
}

// Loads and stores that are atomic race with plain ones alone.
TEST(PartOrder, AtomicLoadsAndStoresAreNoRace) {
  for (const bool isAtomic : {true, false}) {
    TraceBuilder b(96);
    const auto word = b.sharedArray("word", 1);
    const auto load = b.site({.kind = model::SiteKind::Load, .text = "load(&word)", .isAtomic = true});
    const auto store = b.site({.kind = model::SiteKind::Store, .text = "store(&word, 1)", .isAtomic = true});
    const auto other = b.site({.kind = model::SiteKind::Store, .text = "word = 1", .isAtomic = isAtomic});
    b.load(0, load, word, 0);
    b.store(32, store, word, 0, 1);
    b.store(64, other, word, 0, 1);
    EXPECT_EQ(analyse(b.build()).launches.at(0).races.empty(), isAtomic);
  }
}

// Atomic operations of different sizes, by which two threads access the same bytes.
TEST(PartOrder, AtomicOperationsOfOtherSizesRace) {
  for (const unsigned bytes : {4u, 8u}) {
    TraceBuilder b(64);
    const auto word = b.sharedArray("word", 2, 4);
    const auto one = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&word[0], 1)"});
    const auto other = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd((ull*)word, 1)"});
    b.atomic(0, one, word, 0, 1, 1);
    b.raw(32, {recording::eventHead(0, other, model::EventKind::Atomic, word, bytes == 8 ? 3 : 2), 1});
    EXPECT_EQ(analyse(b.build()).launches.at(0).races.empty(), bytes == 4);
  }
}

// Whichever warp the search comes to first.
TEST(PartOrder, TheLaterWarpMayHaveStored) {
  Warps w;
  w.storeOwn(1);
  w.meet(0, 1);
  w.loadOf(0, 1);
  EXPECT_TRUE(w.races().empty());
}

TEST(PartOrder, AWarpThatWasNotThereRaces) {
  Warps w;
  w.storeOwn(0);
  w.meet(0, 1);
  w.loadOf(1, 0);
  w.loadOf(2, 0);
  const auto races = w.races();
  ASSERT_EQ(races.size(), 1u);
  EXPECT_EQ(races[0].second.thread / 32, 2u);
}

TEST(PartOrder, WhatIsStoredBehindTheBarrierRaces) {
  Warps w;
  w.meet(0, 1);
  w.storeOwn(0);
  w.loadOf(1, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

TEST(PartOrder, OneMeetingAfterTheOtherOrdersThreadsThatNeverMet) {
  Warps w;
  w.storeOwn(0);
  w.meet(0, 1);
  w.meet(1, 2);
  w.loadOf(2, 0);
  EXPECT_TRUE(w.races().empty());
}

TEST(PartOrder, MeetingsInTheOtherOrderDoNot) {
  Warps w;
  w.storeOwn(0);
  w.meet(1, 2);
  w.meet(0, 1);
  w.loadOf(2, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

// The same site before and behind a meeting: the earlier store is not forgotten for the later one.
TEST(PartOrder, AnEarlierAccessOfTheSameSiteIsRemembered) {
  Warps w;
  w.loadOf(1, 0);
  w.storeOwn(0);
  w.meet(0, 2);
  w.storeOwn(0);
  const auto races = w.races();
  ASSERT_EQ(races.size(), 1u) << "warp 1 never met warp 0";
  EXPECT_NE(races[0].first.thread / 32, races[0].second.thread / 32);
}

// ---- Barriers in shared memory.

TEST(PartOrder, WhatWasStoredBeforeItArrivedMayBeLoadedByWhoHasWaited) {
  Warps w;
  w.storeOwn(0);
  w.arrive(0, 0);
  w.wait(1, 0);
  w.loadOf(1, 0);
  EXPECT_TRUE(w.races().empty());
}

// It need not wait for those that load.
TEST(PartOrder, WhatIsStoredBehindAnArrivalRaces) {
  Warps w;
  w.storeOwn(0);
  w.arrive(0, 0);
  w.storeOwn(0);
  w.wait(1, 0);
  w.loadOf(1, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

TEST(PartOrder, WhoStoresAgainHasToWaitForThoseThatLoad) {
  Warps w;
  w.storeOwn(0);
  w.arrive(0, 0);
  w.wait(1, 0);
  w.loadOf(1, 0);
  w.arrive(1, 1);
  w.wait(0, 1);
  w.storeOwn(0);
  EXPECT_TRUE(w.races().empty());
}

TEST(PartOrder, WhoHasNotWaitedRaces) {
  Warps w;
  w.storeOwn(0);
  w.arrive(0, 0);
  w.arrive(1, 0);
  w.loadOf(1, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

// Between an arrival and its wait a thread does what nobody has seen.
TEST(PartOrder, WhatIsDoneBetweenArrivingAndWaitingIsNotOrdered) {
  Warps w;
  w.arrive(0, 0);
  w.storeOwn(0);
  w.wait(0, 0);
  w.arrive(1, 0);
  w.wait(1, 0);
  w.loadOf(1, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

TEST(PartOrder, OneLaneMayArriveForItsWarp) {
  for (const bool syncs : {true, false}) {
    Warps w;
    w.storeOwn(0);
    if (syncs) w.syncWarp(0);
    w.act(0, 0, model::MeetingPart::Arrives, 1);
    w.wait(1, 0);
    w.loadOf(1, 0);
    EXPECT_EQ(w.races().empty(), syncs);
  }
}

// Nobody ever arrives there: no order is known.
TEST(PartOrder, AWaitThatNoArrivalCanEndOrdersNothing) {
  Warps w;
  w.storeOwn(0);
  w.wait(0, 0);
  w.arrive(0, 1);
  w.wait(1, 1);
  w.arrive(1, 0);
  w.loadOf(1, 0);
  EXPECT_EQ(w.races().size(), 1u);
}

// 1024 threads of which each stores and then waits for all before it: what a thread waits for at one place is
// one act.
TEST(PartOrder, AThreadMayWaitForAllOthersAtOnce) {
  TraceBuilder b(1024);
  const auto data = b.sharedArray("data", 1024);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[tid] = tid"});
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "data[other]"});
  for (unsigned thread = 0; thread < 1024; ++thread) b.store(thread, store, data, thread, thread);
  for (unsigned other = 0; other < 1024; ++other) b.load(1023, load, data, other);
  model::Trace trace = b.build();
  for (unsigned thread = 0; thread < 1024; ++thread) {
    auto& meetings = trace.launches[0].recorded().meetings;
    meetings.push_back({thread, 1, thread, model::MeetingPart::Arrives});
    for (unsigned other = 0; other < thread; ++other)
      meetings.push_back({thread, 1, other, model::MeetingPart::Waits});
  }
  EXPECT_TRUE(analyse(trace).launches.at(0).races.empty());
}

// A lock that 1024 threads take 20 times each, in turns. What is not known is not told as a race.
TEST(PartOrder, OfVeryManyMeetingsNothingIsTold) {
  TraceBuilder b(1024);
  const auto data = b.sharedArray("data", 1);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[0] = tid"});
  std::vector<model::PartMeeting> meetings;
  std::uint32_t next = 0;
  for (unsigned time = 0; time < 20; ++time)
    for (unsigned thread = 0; thread < 1024; ++thread) {
      b.store(thread, store, data, 0, thread);
      if (next > 0) meetings.push_back({thread, time, next - 1, model::MeetingPart::Waits});
      meetings.push_back({thread, time + 1, next++, model::MeetingPart::Arrives});
    }
  std::ranges::stable_sort(meetings, {}, &model::PartMeeting::thread);
  model::Trace trace = b.build();
  trace.launches[0].recorded().meetings = meetings;
  const Analysis analysis = analyse(trace);
  const RaceSearch search =
      findRaces(trace.launches[0], trace.sites, analysis.launches[0].rounds, MemoryBudget());
  EXPECT_EQ(search.endedIn, 0u);
  EXPECT_TRUE(search.isOrderUnknown);
  EXPECT_TRUE(search.races.empty());
}

TEST(PartOrder, OfMeetingsThatWereCutNothingIsTold) {
  Warps w;
  w.storeOwn(0);
  w.loadOf(1, 0);
  model::Trace trace = w.b.build();
  trace.launches[0].recorded().meetingsCut = true;
  const LaunchAnalysis launch = analyse(trace).launches.at(0);
  EXPECT_TRUE(launch.races.empty());
  ASSERT_EQ(launch.problems.size(), 1u);
  EXPECT_EQ(launch.problems[0].text,
            "Data races were not searched for: threads wait for one another by locks, flags, counters, or "
            "barriers more often than can be followed. Take a smaller block.");
}

}  // namespace
}  // namespace stridescope::analysis
