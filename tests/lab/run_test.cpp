// A run has everything that follows from its trace.
#include "lab/run.h"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace stridescope::lab
