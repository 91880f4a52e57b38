// Copies of the catalogue's variants as persons' own kernels: recorded by either recorder, they leave what
// the variants leave, in the same rounds, with the same wavefronts, snapshots and races. Compiling one takes
// a third of a second: all of them only in whole sweeps.
#include "engine/access/variant_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/snapshots.h"
#include "engine/access/kernel_run.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "engine/sandbox/confinement.h"
#include "kernels/catalog.h"
#include "lab/run.h"

namespace stridescope::engine::access {
namespace {

std::vector<std::string> copiedVariants() {
  if (std::getenv("STRIDESCOPE_WHOLE_SWEEPS") == nullptr) return {"sequential", "warp_shuffle"};
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalog())
    if (!variant.isOfSeveralGpus()) ids.emplace_back(variant.id);
  return ids;
}

model::Trace traceOf(const std::string& variant) {
  model::Experiment experiment;
  const kernels::Variant& known = *kernels::findVariant(variant);
  experiment.variant = variant;
  experiment.threads = known.defaultThreads;
  experiment.type = known.types.front();
  experiment.op = known.operators.front();
  experiment.data = kernels::defaultData(experiment);
  const auto checked = checkedExperiment(experiment, false);
  EXPECT_TRUE(checked) << checked.error().sentence;
  JobControl job;
  auto trace = host::makeHostEngine()->record(*checked, job);
  EXPECT_TRUE(trace) << trace.error().sentence;
  return trace ? *std::move(trace) : model::Trace();
}

// What the shared arrays of a block hold after a round, by name: the two runs may have them in another order.
std::map<std::string, std::vector<std::optional<std::uint64_t>>> wordsOf(const model::LaunchTrace& launch,
                                                                         const analysis::Round& round) {
  std::map<std::string, std::vector<std::optional<std::uint64_t>>> words;
  const analysis::SharedLayout layout(launch);
  for (std::uint32_t k = 0; k < launch.recorded().shared.size(); ++k) {
    const model::Array& array = launch.recorded().shared[k];
    for (std::uint64_t at = 0; at + array.elementBytes <= array.bytes; at += array.elementBytes)
      words[array.name].push_back(round.snapshot.word(layout.beginOf(k) + at, array.elementBytes));
  }
  return words;
}

// By launch, round, kind and space: requests, wavefronts, conflicts and sectors.
using CopiedPlace = std::tuple<std::size_t, std::size_t, model::EventKind, bool>;
using CopiedCounts = std::array<std::uint64_t, 4>;
std::map<CopiedPlace, CopiedCounts> countsOf(const lab::Run& run) {
  std::map<CopiedPlace, CopiedCounts> all;
  for (std::size_t k = 0; k < run.analysis.launches.size(); ++k)
    for (std::size_t r = 0; r < run.analysis.launches[k].rounds.size(); ++r)
      for (const analysis::Request& request : run.analysis.launches[k].rounds[r].requests) {
        CopiedCounts& counts = all[{k, r, request.kind, request.shared}];
        counts[0] += request.requests;
        counts[1] += request.wavefronts;
        counts[2] += request.conflicts();
        counts[3] += request.sectors;
      }
  return all;
}

class VariantCopy : public testing::TestWithParam<std::tuple<std::string, RecorderChoice>> {
 protected:
  void SetUp() override {
    if (!sandbox::sandboxSupport().isComplete()) GTEST_SKIP() << sandbox::sandboxSupport().sentence();
  }
};

TEST_P(VariantCopy, GivesTheVariantsResultInItsRounds) {
  const auto& [id, recorder] = GetParam();
  const model::Trace trace = traceOf(id);
  const auto copy = copyOfVariant(trace);
  ASSERT_TRUE(copy) << copy.error().sentence;
  auto launches = parseLaunchFile("copy.launch.json", copy->launches);
  ASSERT_TRUE(launches) << launches.error().sentence << copy->launches;
  JobControl job;
  const auto run =
      runKernelFile({.name = "copy.cu", .folder = "", .text = copy->text, .launches = *std::move(launches)},
                    job, {.program = STRIDESCOPE_ACCESS_CHILD, .recorder = recorder});
  ASSERT_TRUE(run) << run.error().sentence << "\n" << run.error().details << copy->text << copy->launches;
  const kernels::Variant& variant = *kernels::findVariant(id);
  const lab::Run told = lab::runOf(trace), again = lab::runOf(run->trace);
  if (!variant.isWrong() && trace.ok) {
    EXPECT_TRUE(run->hasEnded);
    if (run->check != KernelCheck::NotChecked) {
      EXPECT_EQ(run->check, KernelCheck::Right) << run->trace.checkNote;
    }
  }
  ASSERT_EQ(told.analysis.launches.size(), again.analysis.launches.size());
  // The lanes exchange within cg::reduce(), which the variant's recorder takes as one.
  const bool isWithinOne = id == "cooperative_groups";
  for (std::size_t k = 0; k < told.analysis.launches.size() && !isWithinOne; ++k)
    EXPECT_EQ(told.analysis.launches[k].rounds.size(), again.analysis.launches[k].rounds.size()) << k;
  EXPECT_EQ(told.analysis.totals.loadWavefronts, again.analysis.totals.loadWavefronts);
  EXPECT_EQ(told.analysis.totals.storeWavefronts, again.analysis.totals.storeWavefronts);
  EXPECT_EQ(told.analysis.totals.loadConflicts, again.analysis.totals.loadConflicts);
  EXPECT_EQ(told.analysis.launches[0].races.empty(), again.analysis.launches[0].races.empty());
  if (isWithinOne || variant.isWrong()) return;
  EXPECT_EQ(countsOf(told), countsOf(again));
  for (std::size_t k = 0; k < told.analysis.launches.size(); ++k) {
    const auto &one = told.analysis.launches[k].rounds, &other = again.analysis.launches[k].rounds;
    for (std::size_t r = 0; r < std::min(one.size(), other.size()); ++r) {
      EXPECT_EQ(one[r].endsWith, other[r].endsWith) << k << " " << r;
      EXPECT_EQ(one[r].activeLanes, other[r].activeLanes) << k << " " << r;
      EXPECT_EQ(wordsOf(told.trace.launches[k], one[r]), wordsOf(again.trace.launches[k], other[r]))
          << k << " " << r;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Access, VariantCopy,
                         testing::Combine(testing::ValuesIn(copiedVariants()),
                                          testing::Values(RecorderChoice::Access)),
                         [](const auto& one) { return std::get<0>(one.param); });
INSTANTIATE_TEST_SUITE_P(Auto, VariantCopy,
                         testing::Combine(testing::ValuesIn(copiedVariants()),
                                          testing::Values(RecorderChoice::Auto)),
                         [](const auto& one) { return std::get<0>(one.param); });

TEST(VariantCopies, OperatorOfAPersonsOwnIsRefused) {
  model::Trace trace;
  trace.experiment.variant = "sequential";
  trace.experiment.op = model::Operator::Custom;
  const auto copy = copyOfVariant(trace);
  ASSERT_FALSE(copy);
  EXPECT_THAT(copy.error().sentence, testing::HasSubstr("operator of your own"));
}

TEST(VariantCopies, LongListsOfNumbersAreRefused) {
  const model::Trace trace = [] {
    model::Trace made;
    made.experiment.variant = "sequential";
    made.experiment.elements = (1 << 20) + 1;
    return made;
  }();
  const auto copy = copyOfVariant(trace);
  ASSERT_FALSE(copy);
  EXPECT_THAT(copy.error().sentence, testing::HasSubstr("Choose fewer elements."));
}

TEST(LaunchTexts, AreReadAsTheyWereWritten) {
  constexpr const char* kText = R"({"launches": [
 {"kernel": "a", "template": "int, 7", "grid": [2, 3], "block": [32, 1, 4], "shared": 64, "args": [
  {"name": "x", "array": "y", "pattern": "ramp", "count": 5}, {"name": "z", "data": [1.5, "inf", -2]},
  {"name": "f", "file": "f.npy"}, {"name": "v", "value": 12345678901234567890}],
  "expect": {"y": [1, null, 3]}, "tolerance": 0.25},
 {"grid": [1], "block": [32], "args": [{"name": "y", "fill": -1.5, "count": 3}]}]})";
  const auto file = parseLaunchFile("k", kText);
  ASSERT_TRUE(file) << file.error().sentence;
  const std::string text = printLaunchFile(*file);
  const auto again = parseLaunchFile("k", text);
  ASSERT_TRUE(again) << again.error().sentence << text;
  EXPECT_EQ(printLaunchFile(*again), text);
  ASSERT_EQ(again->launches.size(), 2u);
  const LaunchRequest& first = again->launches.front();
  EXPECT_EQ(first.kernel, "a");
  EXPECT_EQ(first.grid, model::Dim3(2, 3));
  EXPECT_EQ(first.block, model::Dim3(32, 1, 4));
  EXPECT_EQ(first.sharedBytes, 64u);
  EXPECT_EQ(first.arguments[0].arrayName(), "y");
  EXPECT_EQ(first.arguments[1].values, (std::vector<std::string>{"1.5", "inf", "-2"}));
  EXPECT_EQ(first.arguments[3].values, (std::vector<std::string>{"12345678901234567890"}));
  EXPECT_EQ(first.expected.at("y"), (std::vector<std::string>{"1", "", "3"}));
  EXPECT_EQ(first.tolerance, 0.25);
  EXPECT_EQ(again->launches[1].arguments[0].fill, "-1.5");
}

TEST(VariantCopy, OfSeveralGpusIsRefused) {
  const auto copy = copyOfVariant(traceOf("ring"));
  ASSERT_FALSE(copy);
  EXPECT_EQ(copy.error().sentence, "A kernel of your own runs on one GPU, and this variant needs several.");
}

}  // namespace
}  // namespace stridescope::engine::access
