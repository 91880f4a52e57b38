// One text, two machines: what the GPU recorded equals what the CPU executor recorded, event by event and
// snapshot by snapshot.
#include <cstdlib>
#include <ostream>

#include "analysis/compare.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "real_gpu.h"

namespace stridescope::model {

std::ostream& operator<<(std::ostream& stream, const Experiment& experiment) {  // for GoogleTest's messages
  return stream << experiment.variant << " " << nameOf(experiment.type) << " " << nameOf(experiment.op) << " "
                << experiment.threads << " threads, n " << experiment.elements << ", "
                << nameOf(experiment.data);
}

}  // namespace stridescope::model

namespace stridescope::engine {
namespace {

class GpuLockstep : public RealGpu {
 protected:
  void SetUp() override {
    RealGpu::SetUp();
    if (IsSkipped()) return;
    host = host::makeHostEngine();
    // What goes wrong on purpose does as the schedule does, and some of today's need what this GPU has not.
    for (const kernels::Variant& variant : kernels::catalog())
      if (!variant.isWrong() && refusalOf(gpu->executor(), {.variant = std::string(variant.id)}).empty())
        variants.push_back(&variant);
  }

  // Records on both and compares; counts one more.
  void hold(const model::Experiment& experiment) {
    const auto ours = record(experiment);
    ASSERT_TRUE(ours) << experiment << ": " << ours.error().sentence << "\n" << ours.error().details;
    JobControl job;
    const auto theirs = host->record(experiment, job);
    ASSERT_TRUE(theirs) << experiment << ": " << theirs.error().sentence;
    EXPECT_TRUE(ours->ok) << experiment << ": " << ours->result << ", not " << ours->expected;
    EXPECT_EQ(ours->result, theirs->result) << experiment;
    EXPECT_EQ(ours->expected, theirs->expected) << experiment;
    ++held;
    // Which of several blocks is the last one done is the GPU's own choice.
    const kernels::Variant& variant = *kernels::findVariant(experiment.variant);
    const bool someBlockIsLast =
        variant.takes(model::ParameterRole::Ticket) || variant.takes(model::ParameterRole::CountedSum);
    if (someBlockIsLast && ours->launches.front().grid > 1) return;
    EXPECT_EQ(ours->sites, theirs->sites) << experiment;
    ASSERT_EQ(ours->launches.size(), theirs->launches.size()) << experiment;
    for (std::size_t i = 0; i < ours->launches.size(); ++i) {
      const model::LaunchTrace &a = ours->launches[i], &b = theirs->launches[i];
      EXPECT_EQ(a.recorded().shared, b.recorded().shared) << experiment;
      EXPECT_EQ(a.buffers, b.buffers) << experiment;
      EXPECT_EQ(a.recorded().first, b.recorded().first) << experiment;
      EXPECT_EQ(a.recorded().copied.size(), b.recorded().copied.size()) << experiment;
      EXPECT_EQ(a.recorded().barrierCopies.size(), b.recorded().barrierCopies.size()) << experiment;
      EXPECT_TRUE(a.recorded().problems.empty() && !a.recorded().cut)
          << experiment << ": " << (a.recorded().problems.empty() ? "" : a.recorded().problems[0].text);
    }
    EXPECT_EQ(analysis::firstDifference(*ours, *theirs).value_or(""), "") << experiment;
    EXPECT_EQ(analysis::replayDifference(*ours).value_or(""), "") << experiment;
  }

  model::Experiment experimentOf(const kernels::Variant& variant, unsigned threads, std::uint64_t elements) {
    model::Experiment experiment;
    experiment.variant = variant.id;
    experiment.op = variant.operators.front();
    experiment.threads = threads;
    // A merge reduces once for every element.
    experiment.elements =
        variant.merges() ? std::min<std::uint64_t>(elements, kMergeSteps / threads) : elements;
    return experiment;
  }

  model::Experiment defaultOf(const kernels::Variant& variant, std::uint64_t elements) {
    return experimentOf(variant, variant.defaultThreads, elements);
  }

  static constexpr std::uint64_t kMergeSteps = 8192;  // so that its trace is small

  std::unique_ptr<Engine> host;
  std::vector<const kernels::Variant*> variants;
  unsigned held = 0;
};

// Every variant at every block size it may have, over one block's load.
TEST_F(GpuLockstep, EveryBlockSize) {
  for (const kernels::Variant* variant : variants)
    for (const unsigned threads : variant->threads)
      hold(experimentOf(*variant, threads, std::uint64_t(threads) * variant->launch.elementsPerThread));
  RecordProperty("held", static_cast<int>(held));
  EXPECT_GE(held, 80u);
}

// Every variant, type and operator that go together; random data, so that order and values matter.
TEST_F(GpuLockstep, EveryTypeAndOperator) {
  std::vector<model::Experiment> experiments;
  for (const kernels::Variant* variant : variants)
    for (const model::ElementType type : variant->types)
      for (const model::Operator op : variant->operators) {
        if (!variant->offers(type, op)) continue;
        model::Experiment experiment =
            defaultOf(*variant, std::uint64_t(variant->defaultThreads) * variant->launch.elementsPerThread);
        experiment.type = type;
        experiment.op = op;
        experiment.data = model::DataPattern::Random;
        experiment.seed = 7;
        if (op == model::Operator::Multiply) experiment.data = model::DataPattern::Alternating;
        experiments.push_back(experiment);
      }
  JobControl job;
  const auto ready = gpu->prepare(experiments, job);
  ASSERT_TRUE(ready) << ready.error().sentence << "\n" << ready.error().details;
  for (const model::Experiment& experiment : experiments) hold(experiment);
  EXPECT_EQ(held, experiments.size());
}

// Sizes that fill no whole block, several launches, another block than the first, no elements at all.
TEST_F(GpuLockstep, OddSizesAndLaterBlocks) {
  for (const kernels::Variant* variant : variants)
    for (const std::uint64_t elements : {0ull, 1ull, 2ull, 63ull, 1000ull, 65537ull}) {
      model::Experiment experiment = defaultOf(*variant, elements);
      hold(experiment);
      if (variant->merges()) continue;  // one block, one launch
      experiment.block = 5;
      hold(experiment);
      experiment.launch = 1;
      hold(experiment);
    }
}

// The last warp's barriers within a warp are where engines differ most easily: many runs must all give the
// same.
TEST_F(GpuLockstep, WarpBarriersAreCopiedWithoutARace) {
  const kernels::Variant& variant = *kernels::findVariant("unrolled_last_warp");
  const model::Experiment experiment = experimentOf(variant, 1024, 2048);
  const auto first = record(experiment);
  ASSERT_TRUE(first) << first.error().sentence;
  ASSERT_FALSE(first->launches[0].recorded().copied.empty());
  for (int i = 0; i < 200; ++i) {
    const auto again = record(experiment);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->launches[0].recorded().copied, first->launches[0].recorded().copied) << "run " << i;
    ASSERT_EQ(again->launches[0].recorded().events, first->launches[0].recorded().events) << "run " << i;
  }
}

}  // namespace
}  // namespace stridescope::engine
