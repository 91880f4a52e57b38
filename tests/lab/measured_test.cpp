// What was measured of a run keeps where it is from.
#include "lab/measured.h"

#include <gtest/gtest.h>

#include <array>

#include "archive/recording_file.h"

namespace stridescope::lab {
namespace {

KnownRun clocked(bool live) {
  KnownRun known;
  known.measured.cycles.live = live;
  known.measured.cycles.clocks.resize(1);
  known.measured.cycles.clocks[0].executor.device = "a GPU";
  analysis::LaunchCycles cycles;
  cycles.alone.rounds = {analysis::Cycles{.median = 202, .low = 200, .high = 204}};
  known.measured.cycles.launches = {cycles};
  return known;
}

TEST(KnownRun, HasTheCyclesOfItsLaunchesAndSaysWhoseTheyAre) {
  const KnownRun known = clocked(false);
  ASSERT_NE(known.cycles(0).alone.at(0), nullptr);
  EXPECT_EQ(known.cycles(0).alone.at(0)->median, 202u);
  EXPECT_EQ(known.cycles(1).alone.at(0), nullptr) << "nothing is known of another launch";
  EXPECT_EQ(known.cyclesOrigin(), "recorded on a GPU");
  EXPECT_EQ(clocked(true).cyclesOrigin(), "counted on a GPU");
  EXPECT_EQ(KnownRun().cyclesOrigin(), "");
}

TEST(ComparedSide, TakesWhatIsKnownOfItsLaunchAndWhereItIsFrom) {
  KnownRun known = clocked(true);
  model::CounterRecord& counters = known.measured.counters.record.emplace();
  counters.executor.device = "another GPU";
  counters.launches.resize(1);
  known.measured.costs.own.emplace().cost.executor.device = "a third GPU";
  analysis::ComparedSide side;
  addMeasured(known.measured, side);
  EXPECT_EQ(side.cycles, &known.measured.cycles.launches[0]);
  EXPECT_EQ(side.cyclesFrom.kind, analysis::OriginKind::Measured);
  EXPECT_EQ(side.cyclesFrom.device, "a GPU");
  EXPECT_EQ(side.counters, &known.measured.counters.record->launches[0]);
  EXPECT_EQ(side.countersFrom.kind, analysis::OriginKind::Recorded);
  EXPECT_EQ(side.countersFrom.device, "another GPU");
  EXPECT_EQ(side.cost, &known.measured.costs.own->cost);
  EXPECT_EQ(side.costFrom.device, "a third GPU");

  analysis::ComparedSide second{.launch = 1};
  addMeasured(known.measured, second);
  EXPECT_EQ(second.cycles, nullptr);
  EXPECT_EQ(second.counters, nullptr);
}

TEST(KeptMeasurements, LeaveOutCountersOfAPersonsOwnData) {
  RunMeasured measured;
  measured.cycles.clocks.resize(2);
  measured.counters.record = model::CounterRecord();
  EXPECT_EQ(keptOf(measured).of<model::ClockRecord>().size(), 2u);
  EXPECT_EQ(keptOf(measured).of<model::CounterRecord>().size(), 1u);
  measured.counters.record->experiment.given = model::SharedData(model::GivenData());
  EXPECT_EQ(keptOf(measured).of<model::CounterRecord>().size(), 0u);
}

}  // namespace
}  // namespace stridescope::lab
