// A run as far as it is told: what is told is the run's, and of the rest nothing is there but names.
#include <gtest/gtest.h>

#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "session/prediction.h"
#include "support/fake_engine.h"
#include "support/ladder_trace.h"

namespace stridescope::session {
namespace {

// Several GPUs take part, and a block of GPU 1 is shown.
std::shared_ptr<const lab::Run> recorded(const std::string& variant, std::uint64_t elements = 0,
                                         unsigned gpus = 0) {
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.op = kernels::findVariant(variant)->operators.front();
  experiment.threads = kernels::findVariant(variant)->defaultThreads;
  experiment.elements = elements;
  experiment.data = kernels::defaultData(variant, experiment.op);
  if (gpus > 0) experiment.gpus = gpus, experiment.block = 1;
  engine::JobControl job;
  auto trace = engine::host::makeHostEngine()->record(*engine::checkedExperiment(experiment, false), job);
  EXPECT_TRUE(trace);
  auto run = lab::steppedRun(*std::move(trace));
  EXPECT_TRUE(run);
  return *run;
}

// How many rounds are there of all launches.
std::size_t roundsIn(const lab::Run& run) {
  std::size_t count = 0;
  for (const analysis::LaunchAnalysis& launch : run.analysis.launches) count += launch.rounds.size();
  return count;
}

class EachVariant : public testing::TestWithParam<const char*> {};

TEST_P(EachVariant, TellsItsFirstRoundsAsTheyAre) {
  const auto whole = recorded(GetParam());
  RunSoFar soFar(whole);
  ASSERT_EQ(soFar.rounds(), roundsIn(*whole));
  for (std::size_t told = 1; told < std::min<std::size_t>(soFar.rounds(), 12); ++told) {
    const auto shown = soFar.show(told, false);
    ASSERT_EQ(roundsIn(*shown), told);
    EXPECT_EQ(shown->toCome.size(), soFar.rounds() - told);
    for (std::size_t index = 0; index < told; ++index) {
      const lab::RoundName& at = soFar.name(index);
      const analysis::Round& own = shown->analysis.launches[at.launch].rounds[at.round];
      const analysis::Round& other = whole->analysis.launches[at.launch].rounds[at.round];
      EXPECT_EQ(own.lanes, other.lanes);
      EXPECT_EQ(own.snapshot.bytes, other.snapshot.bytes);
      EXPECT_EQ(own.operations.size(), other.operations.size());
      EXPECT_EQ(shown->flow[at.launch][at.round].work.size(), whole->flow[at.launch][at.round].work.size());
      // The events that its operations point at.
      for (const analysis::WarpOperation& operation : own.operations)
        for (unsigned lane = 0; lane < 32; ++lane)
          if ((operation.mask >> lane) & 1) {
            EXPECT_EQ(shown->trace.launches[at.launch].recorded().events[operation.event[lane]],
                      whole->trace.launches[at.launch].recorded().events[operation.event[lane]]);
          }
    }
  }
}

// Events that no told round has are blank.
TEST_P(EachVariant, HasNoEventOfARoundThatIsNotTold) {
  const auto whole = recorded(GetParam());
  RunSoFar soFar(whole);
  const std::size_t told = std::min<std::size_t>(3, soFar.rounds() - 1);
  const auto shown = soFar.show(told, true);
  std::vector<std::vector<bool>> late;
  for (const model::LaunchTrace& launch : whole->trace.launches)
    late.emplace_back(launch.recorded().events.size(), false);
  for (std::size_t index = told; index < soFar.rounds(); ++index) {
    const lab::RoundName& at = soFar.name(index);
    for (const analysis::WarpOperation& operation :
         whole->analysis.launches[at.launch].rounds[at.round].operations)
      for (unsigned lane = 0; lane < 32; ++lane)
        if ((operation.mask >> lane) & 1) late[at.launch][operation.event[lane]] = true;
  }
  std::size_t count = 0;
  for (std::size_t launch = 0; launch < late.size(); ++launch)
    for (std::size_t event = 0; event < late[launch].size(); ++event)
      if (late[launch][event]) {
        ++count;
        EXPECT_EQ(shown->trace.launches[launch].recorded().events[event], model::Event());
      }
  EXPECT_GT(count, 0u);
  for (const model::LaunchTrace& launch : shown->trace.launches) {
    EXPECT_TRUE(launch.recorded().barrierCopies.empty());
    EXPECT_TRUE(launch.recorded().copied.empty());
    EXPECT_TRUE(launch.recorded().problems.empty());
  }
  EXPECT_NE(shown->trace.result, whole->trace.result);
  EXPECT_TRUE(shown->trace.expected.empty());
}

TEST_P(EachVariant, HidesTheNextRoundBehindWhatMemoryHolds) {
  const auto whole = recorded(GetParam());
  RunSoFar soFar(whole);
  const std::size_t told = std::min<std::size_t>(2, soFar.rounds() - 1);
  const auto shown = soFar.show(told, true);
  const lab::RoundName& at = soFar.name(told);
  const analysis::LaunchAnalysis& launch = shown->analysis.launches[at.launch];
  EXPECT_TRUE(launch.hidesLast);
  EXPECT_EQ(launch.told() + 1, launch.rounds.size());
  ASSERT_EQ(launch.rounds.size(), at.round + 1);
  const analysis::Round& hidden = launch.rounds.back();
  EXPECT_TRUE(hidden.operations.empty());
  EXPECT_TRUE(hidden.requests.empty());
  EXPECT_TRUE(hidden.exchanges.empty());
  EXPECT_EQ(hidden.activeLanes, 0u);
  EXPECT_EQ(hidden.snapshot.bytes, whole->analysis.launches[at.launch].rounds[at.round - 1].snapshot.bytes);
  EXPECT_EQ(shown->toCome.front().inSentence, at.inSentence);
}

// What goes between devices is told with its round, and nothing of the rounds to come.
TEST(RunSoFar, TellsWhatDevicesSendRoundByRound) {
  for (const char* const variant : {"ring", "tree", "nvlink_message"}) {
    const auto whole = recorded(variant, 600, 3);
    RunSoFar soFar(whole);
    bool anyTransfer = false;
    for (std::size_t told = 0; told < soFar.rounds(); ++told) {
      const auto shown = soFar.show(told, true);
      for (unsigned launch = 0; launch < whole->analysis.launches.size(); ++launch) {
        const analysis::LaunchAnalysis& all = whole->analysis.launches[launch];
        const analysis::LaunchAnalysis& own = shown->analysis.launches[launch];
        std::size_t rounds = 0;
        for (std::size_t index = 0; index < told; ++index) rounds += soFar.name(index).launch == launch;
        SCOPED_TRACE(std::string(variant) + ", " + std::to_string(told) + " told, launch " +
                     std::to_string(launch));
        ASSERT_EQ(own.traffic.rounds.size(), rounds);
        EXPECT_EQ(own.traffic.partsAfter.size(), std::min(rounds, all.traffic.partsAfter.size()));
        for (std::size_t round = 0; round < rounds; ++round) {
          EXPECT_EQ(own.traffic.rounds[round].transfers, all.traffic.rounds[round].transfers);
          EXPECT_EQ(own.traffic.rounds[round].waits, all.traffic.rounds[round].waits);
          if (round < own.traffic.partsAfter.size()) {
            EXPECT_EQ(own.traffic.partsAfter[round], all.traffic.partsAfter[round]);
          }
          anyTransfer = anyTransfer || !own.traffic.rounds[round].transfers.empty();
        }
        EXPECT_EQ(own.before, rounds > 0 ? all.before : analysis::DeviceLinks());
        EXPECT_EQ(shown->trace.launches[launch].devices, 3u);
        EXPECT_EQ(shown->trace.launches[launch].recorded().device,
                  whole->trace.launches[launch].recorded().device);
        EXPECT_EQ(shown->trace.launches[launch].recorded().device, 1u);
      }
    }
    EXPECT_TRUE(anyTransfer || variant == std::string_view("nvlink_message")) << variant;
  }
}

INSTANTIATE_TEST_SUITE_P(RunSoFar, EachVariant,
                         testing::Values("interleaved_contiguous", "warp_shuffle", "missing_barrier",
                                         "k_way_merge", "global_memory", "vectorized_atomic",
                                         "unrolled_last_warp", "warp_guarded"));

TEST(RunSoFar, IsTheWholeRunOnceAllIsTold) {
  const auto whole = recorded("sequential");
  RunSoFar soFar(whole);
  EXPECT_NE(soFar.show(soFar.rounds() - 1, true), whole);
  EXPECT_EQ(soFar.show(soFar.rounds(), false), whole);
  EXPECT_EQ(soFar.show(soFar.rounds(), true), whole) << "nothing is left to be hidden";
}

TEST(RunSoFar, GoesBack) {
  const auto whole = recorded("sequential");
  RunSoFar soFar(whole);
  (void)soFar.show(6, true);
  const auto shown = soFar.show(2, true);
  EXPECT_EQ(roundsIn(*shown), 3u);
  EXPECT_EQ(shown->toCome.size(), soFar.rounds() - 2);
}

TEST(RunSoFar, CrossesLaunches) {
  const auto whole = recorded("sequential", 1024);
  ASSERT_EQ(whole->trace.launches.size(), 2u);
  RunSoFar soFar(whole);
  const auto first = whole->analysis.launches[0].rounds.size();
  EXPECT_EQ(soFar.indexOf(0, 99), first - 1) << "rounds that are not there: the last before";
  EXPECT_EQ(soFar.indexOf(1, 0), first);
  EXPECT_EQ(soFar.indexOf(9, 9), soFar.rounds() - 1);
  const auto shown = soFar.show(first, true);
  EXPECT_FALSE(shown->analysis.launches[0].goesOn);
  EXPECT_TRUE(shown->analysis.launches[1].goesOn);
  EXPECT_TRUE(shown->analysis.launches[1].hidesLast);
  EXPECT_EQ(shown->analysis.launches[1].told(), 0u);
  EXPECT_EQ(shown->flow[1].size(), 1u);
}

// The elements of interleaved_contiguous that nobody has added to another one yet: every 2s-th after stride
// s.
TEST(RunSoFar, AnElementStandsUntilItIsCombined) {
  const auto whole = recorded("interleaved_contiguous");
  RunSoFar soFar(whole);
  for (unsigned round = 1, s = 1; round < 9; ++round, s *= 2) {
    const auto shown = soFar.show(round + 1, true);
    const std::vector<bool>& stands = shown->flow[0][round].liveAfter[0];
    for (std::size_t element = 0; element < stands.size(); ++element)
      EXPECT_EQ(stands[element], element % (2 * s) == 0) << element << " after stride " << s;
  }
}

// Five rounds of a run of ten are told.
TEST(RunSoFar, HasTheCyclesOfToldRoundsAlone) {
  const auto whole = recorded("sequential");
  RunSoFar soFar(whole);
  lab::RunMeasured measured;
  measured.cycles.launches.resize(1);
  measured.cycles.launches[0].alone.rounds.resize(10);
  measured.cycles.launches[0].alone.warps = {analysis::WarpTimeline(10), analysis::WarpTimeline(7)};
  const lab::RunMeasured shown = soFar.measured(measured, 5);
  EXPECT_EQ(shown.cycles.launches[0].alone.rounds.size(), 5u);
  for (const analysis::WarpTimeline& warp : shown.cycles.launches[0].alone.warps) EXPECT_EQ(warp.size(), 5u);
  EXPECT_EQ(soFar.measured(measured, 10).cycles.launches[0].alone.rounds.size(), 10u);
}

}  // namespace
}  // namespace stridescope::session
