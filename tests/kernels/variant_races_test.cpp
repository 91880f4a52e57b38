// No correct variant races in any schedule; each wrong one is found out, and says what is wrong with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/analysis.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"

namespace stridescope::kernels {
namespace {

struct Found {
  std::size_t races = 0;
  std::set<std::string> arrays;  // that they are in
  std::set<model::ProblemKind> problems;
  std::string result;
  bool ok = false;
};

Found run(const model::Experiment& experiment) {
  engine::JobControl job;
  const auto trace = engine::host::makeHostEngine()->record(experiment, job);
  EXPECT_TRUE(trace.has_value()) << trace.error().sentence;
  if (!trace) return {};
  Found found;
  found.result = trace->result;
  found.ok = trace->ok;
  const analysis::Analysis analysis = analysis::analyse(*trace);
  for (std::size_t i = 0; i < analysis.launches.size(); ++i) {
    for (const analysis::Race& race : analysis.launches[i].races) {
      ++found.races;
      const model::LaunchTrace& launch = trace->launches[i];
      found.arrays.insert(race.shared ? launch.recorded().shared[race.array].name
                                      : launch.buffers[race.array].name);
    }
    for (const model::Problem& problem : analysis.launches[i].problems) found.problems.insert(problem.kind);
  }
  return found;
}

model::Experiment experimentOf(const Variant& variant, model::Schedule schedule, unsigned threads) {
  return {.variant = std::string(variant.id),
          .type = model::ElementType::Int,
          .op = variant.operators.front(),
          .threads = threads,
          .elements = std::uint64_t(threads) * variant.launch.elementsPerThread,
          .data = model::DataPattern::Random,
          .schedule = schedule,
          .scheduleSeed = 7};
}

Found runWrong(std::string_view id, model::Schedule schedule, unsigned threads) {
  return run(experimentOf(*findVariant(id), schedule, threads));
}

std::vector<std::string> correctOnes() {
  std::vector<std::string> ids;
  for (const Variant& variant : catalog())
    if (!variant.isWrong()) ids.emplace_back(variant.id);
  return ids;
}

class CorrectVariants : public testing::TestWithParam<std::string> {};

TEST_P(CorrectVariants, NeverRace) {
  const Variant& variant = *findVariant(GetParam());
  for (model::Schedule schedule : model::kSchedules)
    for (unsigned threads : variant.threads) {
      if (variant.merges() && threads > 128) continue;  // their rounds grow as their threads squared
      for (std::uint64_t rest : {0, 3}) {
        model::Experiment experiment = experimentOf(variant, schedule, threads);
        experiment.elements +=
            rest * experiment.elements + rest;  // several blocks, the last one partly filled
        if (variant.merges()) experiment.elements = threads + rest;
        SCOPED_TRACE(std::string(model::nameOf(schedule)) + ", " + std::to_string(threads) + " threads, " +
                     std::to_string(experiment.elements) + " elements");
        const Found found = run(experiment);
        EXPECT_EQ(found.races, 0u);
        EXPECT_TRUE(found.problems.empty());
        EXPECT_TRUE(found.ok) << found.result;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalog, CorrectVariants, testing::ValuesIn(correctOnes()),
                         [](const auto& one) { return one.param; });

class WrongVariants : public testing::TestWithParam<model::Schedule> {};

TEST_P(WrongVariants, RaceWhereTheirBarrierIsMissing) {
  for (unsigned threads : {64u, 256u, 1024u}) {
    SCOPED_TRACE(threads);
    const Found missing = runWrong("missing_barrier", GetParam(), threads);
    EXPECT_EQ(missing.arrays, std::set<std::string>{"data"});
    EXPECT_TRUE(missing.problems.empty());
    const Found lockstep = runWrong("warp_without_sync", GetParam(), threads);
    EXPECT_EQ(lockstep.arrays, std::set<std::string>{"data"});
    const Found early = runWrong("early_result", GetParam(), threads);
    EXPECT_EQ(early.arrays, (std::set<std::string>{"data", "out"}));
  }
}

TEST_P(WrongVariants, RaceInBlocksOfLessThanAWarp) {
  for (unsigned threads : {4u, 8u, 16u, 32u}) {
    SCOPED_TRACE(threads);
    EXPECT_EQ(runWrong("missing_barrier", GetParam(), threads).arrays, std::set<std::string>{"data"});
    EXPECT_EQ(runWrong("early_result", GetParam(), threads).arrays, (std::set<std::string>{"data", "out"}));
  }
  for (unsigned threads : {2u, 8u})
    EXPECT_EQ(runWrong("divergent_barrier", GetParam(), threads).problems,
              std::set<model::ProblemKind>{model::ProblemKind::DivergentBarrier});
}

TEST_P(WrongVariants, SayWhatIsUndefined) {
  for (unsigned threads : {32u, 256u, 512u}) {
    SCOPED_TRACE(threads);
    const Found mask = runWrong("wrong_mask", GetParam(), threads);
    EXPECT_EQ(mask.problems, std::set<model::ProblemKind>{model::ProblemKind::UndefinedShuffle});
    EXPECT_EQ(mask.races, 0u);
    const Found barrier = runWrong("divergent_barrier", GetParam(), threads);
    EXPECT_EQ(barrier.problems, std::set<model::ProblemKind>{model::ProblemKind::DivergentBarrier});
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, WrongVariants, testing::ValuesIn(model::kSchedules), [](const auto& one) {
  std::string name(model::nameOf(one.param));
  std::ranges::replace(name, ' ', '_');
  return name;
});

// Lockstep is what the old texts take for granted: there the warp's tail is right, and elsewhere it is not.
TEST(WrongOnes, GiveOtherResultsInOtherSchedules) {
  EXPECT_TRUE(runWrong("warp_without_sync", model::Schedule::Lockstep, 256).ok);
  EXPECT_FALSE(runWrong("warp_without_sync", model::Schedule::LaneByLane, 256).ok);
  EXPECT_FALSE(runWrong("missing_barrier", model::Schedule::LaneByLane, 256).ok);
  EXPECT_TRUE(runWrong("early_result", model::Schedule::LaneByLane, 64).ok);
  std::set<std::string> results;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    model::Experiment experiment = experimentOf(*findVariant("early_result"), model::Schedule::Random, 64);
    experiment.scheduleSeed = seed;
    results.insert(run(experiment).result);
  }
  EXPECT_GT(results.size(), 1u);
}

}  // namespace
}  // namespace stridescope::kernels
