// What bounds a reduction's time, in round numbers: each formula is worked out by hand beside it.
#include "analysis/reduction_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/grid_timeline.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "support/grid_records.h"
#include "support/ladder_trace.h"

namespace stridescope::analysis {
namespace {

using model::Counter;
using support::roundCost;

model::CounterRecord countersOf(std::vector<model::CounterValue> values) {
  model::CounterRecord counters;
  counters.launches = {{.grid = 1000, .block = 256, .values = std::move(values)}, {.grid = 1, .block = 256}};
  return counters;
}

double bound(const ReductionCost& reduction, BoundKind kind) { return boundOf(reduction, kind); }

TEST(Bounds, AreTheEmptyGridAndTheInputOnce) {
  const std::vector<Bound> bounds = boundsOf({.cost = roundCost()});
  ASSERT_EQ(bounds.size(), 2u);
  EXPECT_EQ(bounds[0].kind, BoundKind::Memory);
  EXPECT_DOUBLE_EQ(bounds[0].microseconds, 40) << "4 * 10^7 bytes at 10^12 bytes per second";
  EXPECT_EQ(bounds[1].kind, BoundKind::EmptyGrid);
  EXPECT_DOUBLE_EQ(bounds[1].microseconds, 30);
}

TEST(Bounds, IssueAnInstructionACyclePerScheduler) {
  // 100 multiprocessors, 4 schedulers, 1000 cycles a microsecond: 400,000 instructions a microsecond.
  EXPECT_DOUBLE_EQ(bound({.cost = roundCost(), .counters = countersOf({{Counter::Instructions, 10e6}})},
                         BoundKind::Instructions),
                   25);
}

TEST(Bounds, TellConflictsApartFromTheOtherWavefronts) {
  const ReductionCost reduction{.cost = roundCost(),
                                .counters = countersOf({{Counter::SharedLoadWavefronts, 2e6},
                                                        {Counter::SharedStoreWavefronts, 1e6},
                                                        {Counter::SharedLoadConflicts, 1e6},
                                                        {Counter::SharedStoreConflicts, 0.5e6}})};
  // One wavefront a cycle on each of 100 multiprocessors: 100,000 a microsecond.
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::SharedMemory), 15);
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::BankConflicts), 15);
}

TEST(Bounds, NeedAsManyBytesInFlightAsLittlesLawSays) {
  ReductionCost reduction{.cost = roundCost(), .loads = {.loads = 1, .bytes = 4}};
  EXPECT_DOUBLE_EQ(bytesNeededInFlight(reduction.cost.limits), 500'000) << "500 ns x 1000 bytes per ns";
  EXPECT_DOUBLE_EQ(bytesInFlight(reduction), 800 * 256 * 4.0) << "800 blocks fit, 1000 there are";
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::LoadsInFlight), 0) << "enough";
  reduction.cost.launches[0].grid = 100;  // fewer than fit
  EXPECT_DOUBLE_EQ(bytesInFlight(reduction), 102'400);
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::LoadsInFlight), 0)
      << "195 us, and the reduction takes 100: more is in flight than the text asks for";
  reduction.cost.microseconds = 200;
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::LoadsInFlight), 40 * 500'000 / 102'400.0);
  reduction.loads.inLoop = true;
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::LoadsInFlight), 40 * 500'000 / 102'400.0)
      << "one trip's, which is what the text has in flight";
}

TEST(Bounds, CountTheWaitingAtBarriersAmongAllReasons) {
  // One of 5 warps issues, one waits at a barrier, and three wait for memory.
  const ReductionCost reduction{
      .cost = roundCost(),
      .counters = countersOf({{Counter::StallBarrier, 1}, {Counter::StallLongScoreboard, 3}})};
  EXPECT_DOUBLE_EQ(barrierShare(reduction), 0.2);
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::Barriers), 19) << "of 95 us after the launch";
}

TEST(Bounds, HaveATailOnlyAfterAFullWave) {
  ReductionCost reduction{.cost = roundCost()};
  reduction.firstLaunch = LaunchTimes{.time = {1000, 9000}, .lastStart = 7000, .waves = 2.5};
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::Tail), 2);
  reduction.firstLaunch->waves = 0.5;
  EXPECT_DOUBLE_EQ(bound(reduction, BoundKind::Tail), 0);
}

TEST(Bounds, AreSortedByTime) {
  const std::vector<Bound> bounds = boundsOf(
      {.cost = roundCost(),
       .counters = countersOf({{Counter::Instructions, 4e6}, {Counter::SharedLoadWavefronts, 2e6}})});
  ASSERT_EQ(bounds.size(), 4u);
  EXPECT_EQ(bounds[2].kind, BoundKind::SharedMemory) << "20 us";
  EXPECT_EQ(bounds[3].kind, BoundKind::Instructions) << "10 us";
}

ReductionCost reduction(double microseconds, double quartile = 1) {
  ReductionCost cost{.cost = roundCost(), .counters = countersOf({{Counter::Instructions, 20e6}})};
  cost.cost.runs = 16;
  cost.cost.microseconds = microseconds;
  cost.cost.lowerQuartile = microseconds - quartile;
  cost.cost.upperQuartile = microseconds + quartile;
  return cost;
}

// Steps of a load, two strides, and a write.
ReductionCost priced(double load, double two, double one, double spread = 0.5) {
  ReductionCost cost = reduction(load + two + one + 10);
  const auto step = [&](PricedKind kind, double time, std::optional<std::uint64_t> stride = {}) {
    return PricedStep{
        .kind = kind, .stride = stride, .microseconds = time, .low = time - spread, .high = time + spread};
  };
  cost.prices.emplace();
  cost.prices->record.wholeMicroseconds = cost.prices->record.cleanMicroseconds = cost.cost.microseconds;
  cost.prices->steps = {step(PricedKind::Empty, 8), step(PricedKind::Load, load),
                        step(PricedKind::Stride, two, 2), step(PricedKind::Stride, one, 1),
                        step(PricedKind::Write, 2)};
  return cost;
}

TEST(RungChange, HasTheRatioWithItsInterval) {
  // The medians lie within 1.57 * 4 / sqrt(16) = 1.57 us.
  const RungChange change = changeFrom(reduction(100, 2), reduction(50, 2));
  EXPECT_DOUBLE_EQ(change.ratio, 0.5);
  EXPECT_DOUBLE_EQ(change.ratioLow, 48.43 / 101.57);
  EXPECT_DOUBLE_EQ(change.ratioHigh, 51.57 / 98.43);
  EXPECT_FALSE(change.isSameTime());
  EXPECT_DOUBLE_EQ(change.saved, 50);
  EXPECT_TRUE(changeFrom(reduction(100, 2), reduction(99, 2)).isSameTime());
  EXPECT_FALSE(changeFrom(reduction(100, 0.5), reduction(99, 0.5)).isSameTime()) << "0.39 us each";
}

TEST(RungChange, FindsTheStepsThatDifferMost) {
  const RungChange change = changeFrom(priced(5, 30, 20), priced(5.2, 12, 9));
  ASSERT_EQ(change.steps.size(), 5u);
  EXPECT_EQ(change.steps[2].stride, 2u);
  EXPECT_DOUBLE_EQ(change.steps[2].change, -18);
  EXPECT_DOUBLE_EQ(change.steps[2].low, -19);
  EXPECT_DOUBLE_EQ(change.steps[2].high, -17);
  EXPECT_FALSE(change.steps[1].isCertain()) << "0.2 of 1 us";
  ASSERT_EQ(change.largest.size(), 2u) << "11 of 18 us is more than half";
  EXPECT_EQ(change.largest[0].stride, 2u);
  EXPECT_EQ(change.largest[1].stride, 1u);
}

TEST(RungChange, FindsThemOfASlowDown) {
  const RungChange change = changeFrom(priced(5, 12, 9), priced(5, 30, 8));
  ASSERT_EQ(change.largest.size(), 1u);
  EXPECT_EQ(change.largest[0].stride, 2u);
  EXPECT_DOUBLE_EQ(change.largest[0].change, 18);
}

TEST(RungChange, NamesNoStepWithinTheSpread) {
  EXPECT_TRUE(changeFrom(priced(5, 30, 20, 10), priced(5, 12, 9, 10)).largest.empty()) << "18 of 20 us";
  EXPECT_TRUE(changeFrom(priced(5, 30, 20), reduction(40)).steps.empty()) << "one side has no prices";
}

TEST(RungChange, SumsUpWhatOneSideHasTwiceAndKeepsWhatIsOnlyThere) {
  ReductionCost before = priced(5, 30, 20), after = priced(5, 12, 9);
  after.prices->steps.insert(
      after.prices->steps.begin() + 3,
      {.kind = PricedKind::Stride, .stride = 2, .microseconds = 3, .low = 2, .high = 4});
  after.prices->steps.push_back(
      {.kind = PricedKind::Launch, .launch = 1, .microseconds = 4, .low = 3, .high = 5});
  before.prices->steps.insert(before.prices->steps.begin(),
                              {.kind = PricedKind::Copy, .microseconds = 6, .low = 5, .high = 7});
  const RungChange change = changeFrom(before, after);
  ASSERT_EQ(change.steps.size(), 7u);
  EXPECT_EQ(change.steps[0].kind, PricedKind::Copy);
  EXPECT_FALSE(change.steps[0].after.has_value());
  EXPECT_EQ(change.steps[3].after, 15);
  EXPECT_EQ(change.steps[6].kind, PricedKind::Launch);
  EXPECT_FALSE(change.steps[6].before.has_value());
  double sum = 0;
  for (const StepDifference& each : change.steps) sum += each.change;
  EXPECT_DOUBLE_EQ(sum, -6 - 18 - 11 + 3 + 4);
}

TEST(RungChange, LeavesOutWhatIsNotKnownOfBoth) {
  ReductionCost uncounted = reduction(100);
  uncounted.counters.reset();
  const RungChange change = changeFrom(uncounted, reduction(50));
  EXPECT_EQ(change.find(ChangedFigure::Instructions), nullptr);
  EXPECT_NE(change.find(ChangedFigure::Blocks), nullptr);
}

TEST(SizeBounds, AreWhereTheSharesCrossAHalf) {
  // The empty grid: 8 of 10 at 2^10, 8 of 20 at 2^20: from 0.8 to 0.4, a half three quarters of the way.
  const std::vector<SizePoint> points{{1024, 10, 8, 0}, {1 << 20, 20, 8, 4}, {1 << 24, 64, 8, 48}};
  const SizeBounds bounds = sizeBounds(points);
  ASSERT_TRUE(bounds.emptyGridUntil);
  EXPECT_NEAR(std::log2(*bounds.emptyGridUntil), 17.5, 1e-9);
  ASSERT_TRUE(bounds.memoryFrom);
  EXPECT_NEAR(std::log2(*bounds.memoryFrom), 20 + 4 * 0.3 / 0.55, 1e-9) << "from 0.2 to 0.75";
}

TEST(SizeBounds, AreNoneWhereNothingCrosses) {
  EXPECT_FALSE(sizeBounds(std::vector<SizePoint>{{1024, 10, 9, 0}, {2048, 10, 8, 1}}).emptyGridUntil);
  EXPECT_FALSE(sizeBounds(std::vector<SizePoint>{{1024, 10, 1, 6}, {2048, 10, 1, 8}}).memoryFrom);
  EXPECT_FALSE(sizeBounds({}).memoryFrom);
}

// How many bytes of the input a thread asks for at once, in variants stepped by the CPU executor: each number
// is read off the kernel's text.

LoadsPerThread loadsOf(const std::string& variant, model::ElementType type, std::uint64_t elements) {
  engine::JobControl job;
  const auto experiment = engine::checkedExperiment(
      {.variant = variant, .type = type, .threads = 256, .elements = elements}, elements > 0);
  const auto trace = engine::host::makeHostEngine()->record(experiment.value(), job);
  return loadsPerThread(trace.value().launches[0], analyse(*trace).launches[0]);
}

TEST(LoadsPerThread, AreOneOfSequentialAndTwoWhereTheFirstAddIsDuringTheLoad) {
  for (const auto& [variant, loads] : {std::pair("sequential", 1u), {"first_add_on_load", 2u}}) {
    const model::Trace trace = support::ladderTrace(variant, 256, model::ElementType::Int);
    EXPECT_EQ(loadsPerThread(trace.launches[0], analyse(trace).launches[0]),
              (LoadsPerThread{loads, 4 * loads}))
        << variant;
  }
}

TEST(LoadsPerThread, AreThoseOfATripOfALoop) {
  EXPECT_EQ(loadsOf("grid_stride", model::ElementType::Int, 0), (LoadsPerThread{4, 16, true}));
  EXPECT_EQ(loadsOf("grid_stride", model::ElementType::Double, 0), (LoadsPerThread{4, 32, true}));
}

TEST(LoadsPerThread, OfAnEmptyInputAreThoseOfItsOneBlock) {
  model::LaunchTrace launch;
  launch.block = 32;
  EXPECT_EQ(loadsPerThread(launch, {}), LoadsPerThread());
}

}  // namespace
}  // namespace stridescope::analysis
