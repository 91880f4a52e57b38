// A run has everything that follows from its trace.
#include "lab/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "archive/recording_file.h"
#include "lab/measured.h"
#include "support/ladder_trace.h"

namespace stridescope::lab {
namespace {

model::Trace ladder() { return support::ladderTrace("interleaved_contiguous", 256, model::ElementType::Int); }

TEST(Run, HasTheRoundsOfItsTraceAndWhatTheirThreadsDo) {
  const lab::Run run = runOf(ladder());
  EXPECT_EQ(run.trace.experiment.variant, "interleaved_contiguous");
  ASSERT_EQ(run.analysis.launches.size(), 1u);
  const auto& rounds = run.analysis.launches[0].rounds;
  ASSERT_EQ(rounds.size(), 10u);
  ASSERT_EQ(run.flow.size(), 1u);
  ASSERT_EQ(run.flow[0].size(), rounds.size());
  EXPECT_EQ(run.flow[0][4].work.size(), rounds[4].activeLanes);
  EXPECT_EQ(run.stalePasses.size(), 1u);
  EXPECT_TRUE(run.toCome.empty());
}

TEST(Run, GivesARoundOfItself) {
  const lab::Run run = runOf(ladder());
  const narration::RoundAt at = run.at(0, 4);
  EXPECT_EQ(&at.trace, &run.trace);
  EXPECT_EQ(&at.whole(), &run.analysis.launches[0].rounds[4]);
  EXPECT_EQ(&at.work(), &run.flow[0][4]);
  EXPECT_EQ(at.round().stride, 8u);
}

TEST(Run, ThatDoesNotFitSaysSo) {
  const lab::Run run = runOf(ladder(), MemoryBudget(1));
  const auto& problems = run.analysis.launches.at(0).problems;
  EXPECT_TRUE(std::ranges::any_of(
      problems, [](const model::Problem& each) { return each.kind == model::ProblemKind::Limit; }));
  EXPECT_EQ(run.flow.at(0).size(), run.analysis.launches[0].rounds.size());
}

TEST(SteppedRun, IsSharedAndWhole) {
  const auto run = steppedRun(ladder());
  ASSERT_TRUE(run);
  EXPECT_EQ((*run)->analysis.launches[0].rounds.size(), 10u);
}

TEST(SteppedRun, WithoutARoundIsRefusedWithWhatIsKnownOfIt) {
  model::Trace trace;
  trace.experiment.variant = "sequential";
  trace.checkNote = "The kernel was stopped.";
  model::LaunchTrace launch;
  launch.block = 32;
  launch.recorded().first.assign(33, 0);
  launch.recorded().problems = {{model::ProblemKind::Limit, "Thread 0 was stopped.", -1, 0}};
  trace.launches = {launch};
  const auto run = steppedRun(std::move(trace));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().sentence,
            "The run of sequential has no round to step through: nothing was recorded. Choose another run.");
  EXPECT_EQ(run.error().details, "The kernel was stopped.\nThread 0 was stopped.");
}

// What was measured of a run keeps where it is from.

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
