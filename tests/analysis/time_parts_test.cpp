// What a reduction's time is made of, in round numbers: each formula is worked out by hand beside it.
#include "analysis/time_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/grid_timeline.h"
#include "support/grid_records.h"

namespace stridescope::analysis {
namespace {

using model::Counter;
using support::roundCost;

model::CounterRecord countersOf(std::vector<model::CounterValue> values) {
  model::CounterRecord counters;
  counters.launches = {{.grid = 1000, .block = 256, .values = std::move(values)}, {.grid = 1, .block = 256}};
  return counters;
}

double limit(const TimeParts& parts, LimitKind kind) {
  for (const Limit& each : parts.limits)
    if (each.kind == kind) return each.microseconds;
  return 0;
}

TEST(TimeParts, AreLaunchingMemoryAndTheRest) {
  const TimeParts parts = timePartsOf({.cost = roundCost()});
  EXPECT_DOUBLE_EQ(parts.total, 100);
  EXPECT_DOUBLE_EQ(parts.launching, 30);
  EXPECT_DOUBLE_EQ(parts.memory, 40) << "4 * 10^7 bytes at 10^12 bytes per second";
  EXPECT_DOUBLE_EQ(parts.rest(), 30);
  EXPECT_TRUE(parts.limits.empty());
  EXPECT_DOUBLE_EQ(parts.unexplained(), 30);
  EXPECT_FALSE(parts.isExplained());
}

TEST(TimeParts, MayOverlap) {
  model::CostRecord cost = roundCost();
  cost.microseconds = 60;
  const TimeParts parts = timePartsOf({.cost = cost});
  EXPECT_DOUBLE_EQ(parts.rest(), -10);
  EXPECT_DOUBLE_EQ(parts.unexplained(), 0);
  EXPECT_TRUE(parts.isExplained());
}

TEST(TimeParts, IssueAnInstructionACyclePerScheduler) {
  // 100 multiprocessors, 4 schedulers, 1000 cycles a microsecond: 400,000 instructions a microsecond.
  const TimeParts parts =
      timePartsOf({.cost = roundCost(), .counters = countersOf({{Counter::Instructions, 10e6}})});
  EXPECT_DOUBLE_EQ(limit(parts, LimitKind::Instructions), 25);
  EXPECT_DOUBLE_EQ(parts.unexplained(), 5);
  EXPECT_TRUE(parts.isExplained());
}

TEST(TimeParts, TellConflictsApartFromTheOtherWavefronts) {
  const TimeParts parts = timePartsOf({.cost = roundCost(),
                                       .counters = countersOf({{Counter::SharedLoadWavefronts, 2e6},
                                                               {Counter::SharedStoreWavefronts, 1e6},
                                                               {Counter::SharedLoadConflicts, 1e6},
                                                               {Counter::SharedStoreConflicts, 0.5e6}})});
  // One wavefront a cycle on each of 100 multiprocessors: 100,000 a microsecond.
  EXPECT_DOUBLE_EQ(limit(parts, LimitKind::SharedMemory), 15);
  EXPECT_DOUBLE_EQ(limit(parts, LimitKind::BankConflicts), 15);
}

TEST(TimeParts, NeedAsManyBytesInFlightAsLittlesLawSays) {
  ReductionCost reduction{.cost = roundCost(), .loads = {.loads = 1, .bytes = 4}};
  EXPECT_DOUBLE_EQ(bytesNeededInFlight(reduction.cost.limits), 500'000) << "500 ns x 1000 bytes per ns";
  EXPECT_DOUBLE_EQ(bytesInFlight(reduction), 800 * 256 * 4.0) << "800 blocks fit, 1000 there are";
  EXPECT_DOUBLE_EQ(limit(timePartsOf(reduction), LimitKind::LoadsInFlight), 0) << "enough";
  reduction.cost.launches[0].grid = 100;  // fewer than fit
  EXPECT_DOUBLE_EQ(bytesInFlight(reduction), 102'400);
  EXPECT_DOUBLE_EQ(limit(timePartsOf(reduction), LimitKind::LoadsInFlight), 0)
      << "195 us, and the reduction takes 100: more is in flight than the text asks for";
  reduction.cost.microseconds = 200;
  EXPECT_DOUBLE_EQ(limit(timePartsOf(reduction), LimitKind::LoadsInFlight), 40 * 500'000 / 102'400.0);
}

TEST(TimeParts, CountTheWaitingAtBarriersAmongAllReasons) {
  // One of 5 warps issues, one waits at a barrier, and three wait for memory.
  const ReductionCost reduction{
      .cost = roundCost(),
      .counters = countersOf({{Counter::StallBarrier, 1}, {Counter::StallLongScoreboard, 3}})};
  EXPECT_DOUBLE_EQ(barrierShare(reduction), 0.2);
  EXPECT_DOUBLE_EQ(limit(timePartsOf(reduction), LimitKind::Barriers), 19) << "of 95 us after the launch";
}

TEST(TimeParts, HaveATailOnlyAfterAFullWave) {
  ReductionCost reduction{.cost = roundCost()};
  reduction.firstLaunch = LaunchTimes{.time = {1000, 9000}, .lastStart = 7000, .waves = 2.5};
  EXPECT_DOUBLE_EQ(limit(timePartsOf(reduction), LimitKind::Tail), 2);
  reduction.firstLaunch->waves = 0.5;
  EXPECT_DOUBLE_EQ(limit(timePartsOf(reduction), LimitKind::Tail), 0);
}

TEST(TimeParts, AreSortedByTime) {
  const TimeParts parts = timePartsOf(
      {.cost = roundCost(),
       .counters = countersOf({{Counter::Instructions, 4e6}, {Counter::SharedLoadWavefronts, 2e6}})});
  ASSERT_EQ(parts.limits.size(), 2u);
  EXPECT_EQ(parts.limits[0].kind, LimitKind::SharedMemory);
  EXPECT_EQ(parts.limits[1].kind, LimitKind::Instructions);
}

ReductionCost reduction(double microseconds, double empty, double instructions, double conflicts) {
  ReductionCost cost{.cost = roundCost(),
                     .counters = countersOf({{Counter::Instructions, instructions},
                                             {Counter::SharedLoadWavefronts, 1e6 + conflicts},
                                             {Counter::SharedLoadConflicts, conflicts}})};
  cost.cost.microseconds = microseconds;
  cost.cost.lowerQuartile = microseconds - 1;
  cost.cost.upperQuartile = microseconds + 1;
  cost.cost.emptyMicroseconds = empty;
  return cost;
}

TEST(RungChange, FindsTheInstructions) {
  const RungChange change = changeFrom(reduction(100, 30, 40e6, 0), reduction(55, 30, 20e6, 0));
  EXPECT_EQ(change.cause, ChangedFigure::Instructions);
  EXPECT_DOUBLE_EQ(change.saved, 45);
  EXPECT_DOUBLE_EQ(change.explained, 45) << "20e6 instructions are 50 us, of which 45 were saved";
  EXPECT_DOUBLE_EQ(change.timeFactor(), 0.55);
  EXPECT_DOUBLE_EQ(*change.find(ChangedFigure::Instructions)->factor(), 0.5);
}

TEST(RungChange, FindsTheConflictsAndTheLaunching) {
  EXPECT_EQ(changeFrom(reduction(100, 30, 20e6, 3e6), reduction(80, 30, 20e6, 0)).cause,
            ChangedFigure::Conflicts);
  ReductionCost oneLaunch = reduction(70, 30, 20e6, 0);
  oneLaunch.cost.launches.pop_back();
  EXPECT_EQ(changeFrom(reduction(100, 60, 20e6, 0), oneLaunch).cause, ChangedFigure::Launching);
  EXPECT_EQ(changeFrom(reduction(100, 60, 20e6, 0), reduction(70, 30, 20e6, 0)).cause, std::nullopt)
      << "empty kernels of the same grids: noise";
}

// 40e6 instructions are 100 us by themselves, 20e6 are 50.
TEST(RungChange, SaysWhetherTheCauseWasTheLimit) {
  EXPECT_TRUE(changeFrom(reduction(100, 30, 40e6, 0), reduction(55, 30, 20e6, 0)).wasLimit);
  EXPECT_FALSE(changeFrom(reduction(200, 120, 40e6, 0), reduction(155, 120, 20e6, 0)).wasLimit)
      << "launching took longer";
  EXPECT_FALSE(changeFrom(reduction(100, 30, 20e6, 3e6), reduction(80, 30, 20e6, 0)).wasLimit)
      << "instructions took longer than the conflicts' 30 us";
}

TEST(RungChange, HasNoCauseWhereNoneCoversWhatWasSaved) {
  const RungChange change = changeFrom(reduction(100, 30, 20e6, 0), reduction(50, 29, 19.9e6, 0));
  EXPECT_EQ(change.cause, std::nullopt);
  EXPECT_DOUBLE_EQ(change.explained, 0);
}

TEST(RungChange, HasNoneWhereTheTimeIsTheSameOrMore) {
  const RungChange same = changeFrom(reduction(100, 30, 40e6, 0), reduction(99.5, 30, 20e6, 0));
  EXPECT_TRUE(same.sameTime);
  EXPECT_EQ(same.cause, std::nullopt);
  const RungChange slower = changeFrom(reduction(50, 30, 20e6, 0), reduction(100, 30, 10e6, 0));
  EXPECT_FALSE(slower.sameTime);
  EXPECT_EQ(slower.cause, std::nullopt);
  EXPECT_DOUBLE_EQ(slower.saved, -50);
}

TEST(RungChange, LeavesOutWhatIsNotKnownOfBoth) {
  ReductionCost uncounted = reduction(100, 30, 0, 0);
  uncounted.counters.reset();
  const RungChange change = changeFrom(uncounted, reduction(50, 30, 20e6, 0));
  EXPECT_EQ(change.find(ChangedFigure::Instructions), nullptr);
  EXPECT_NE(change.find(ChangedFigure::Blocks), nullptr);
}

TEST(SizeBounds, AreWhereTheSharesCrossAHalf) {
  // Launching: 8 of 10 at 2^10, 8 of 20 at 2^20: from 0.8 to 0.4, a half three quarters of the way.
  const std::vector<SizePoint> points{{1024, 10, 8, 0}, {1 << 20, 20, 8, 4}, {1 << 24, 64, 8, 48}};
  const SizeBounds bounds = sizeBounds(points);
  ASSERT_TRUE(bounds.launchingUntil);
  EXPECT_NEAR(std::log2(*bounds.launchingUntil), 17.5, 1e-9);
  ASSERT_TRUE(bounds.memoryFrom);
  EXPECT_NEAR(std::log2(*bounds.memoryFrom), 20 + 4 * 0.3 / 0.55, 1e-9) << "from 0.2 to 0.75";
}

TEST(SizeBounds, AreNoneWhereNothingCrosses) {
  EXPECT_FALSE(sizeBounds(std::vector<SizePoint>{{1024, 10, 9, 0}, {2048, 10, 8, 1}}).launchingUntil);
  EXPECT_FALSE(sizeBounds(std::vector<SizePoint>{{1024, 10, 1, 6}, {2048, 10, 1, 8}}).memoryFrom);
  EXPECT_FALSE(sizeBounds({}).memoryFrom);
}

}  // namespace
}  // namespace stridescope::analysis
