// The clean text of every variant that a GPU runs, once, by its run plan. With the wrong ones, whose results
// may be wrong: under compute-sanitizer's racecheck each shows whether it has a shared-memory hazard
// (CleanText.* one by one; the analysis of races says which are to have one).
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/catalog.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/timed_subject.h"
#include "measure/gpu/variant_buffers.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

struct WithRunner : testing::Test {
  void SetUp() override {
    auto made = gpu::makeCleanRunner(0);
    if (!made) GTEST_SKIP() << "SKIPPED: " << made.error().sentence;
    runner = std::move(*made);
  }
  std::unique_ptr<gpu::CleanRunner> runner;
};

struct CleanText : WithRunner, testing::WithParamInterface<const kernels::Variant*> {};

TEST_P(CleanText, Runs) {
  const kernels::Variant& variant = *GetParam();
  const model::TimingCase timingCase{
      .op = variant.operators.front(),
      .elements = 3ull * variant.defaultThreads * variant.launch.elementsPerThread,
  };
  gpu::InputPool inputs(*runner);
  const auto filled = inputs.fill(timingCase, timingCase.elements);
  ASSERT_TRUE(filled) << filled.error().sentence;
  const auto passes = gpu::MemoryPasses::load(*runner);
  ASSERT_TRUE(passes) << passes.error().sentence;
  const gpu::CaseMemory memory{.inputPlace = inputs.first(), .room = timingCase.elements, .passes = &*passes};
  const auto subject = gpu::makeTimedVariant(*runner, {model::SubjectKind::Variant, std::string(variant.id)},
                                             timingCase, memory);
  ASSERT_TRUE(subject) << subject.error().sentence;
  const auto timed = (*subject)->run(inputs.next());
  ASSERT_TRUE(timed) << timed.error().sentence;
  if (variant.isWrong()) return;
  EXPECT_EQ(timed->resultBits, expectedResult(timingCase.type, timingCase.op, timingCase.elements));
}

std::vector<const kernels::Variant*> thatRunOnGpus() {
  std::vector<const kernels::Variant*> variants;
  for (const kernels::Variant& variant : kernels::catalog())
    if (variant.onlyOnCpu.empty() && !variant.merges()) variants.push_back(&variant);
  return variants;
}

INSTANTIATE_TEST_SUITE_P(Catalog, CleanText, testing::ValuesIn(thatRunOnGpus()),
                         [](const auto& one) { return std::string(one.param->id); });

struct EveryCleanKernel : WithRunner, testing::WithParamInterface<std::string_view> {};

// 0, 1, 2, ... through one block of 256 threads each: sums of 256 or 512 neighbours.
TEST_P(EveryCleanKernel, AddsUp) {
  const kernels::Variant& variant = *kernels::findVariant(GetParam());
  const unsigned perBlock = 256 * variant.launch.elementsPerThread;
  model::Experiment experiment{.variant = std::string(variant.id), .threads = 256, .elements = perBlock};
  auto kernel = runner->load(experiment, gpu::TimedForm::Clean);
  ASSERT_TRUE(kernel) << kernel.error().sentence;
  std::vector<int> numbers(4 * std::size_t(perBlock));
  std::iota(numbers.begin(), numbers.end(), 0);
  auto in = runner->allocate(numbers.size() * 4), out = runner->allocate(16);
  ASSERT_TRUE(in && out);
  ASSERT_TRUE(
      runner->upload(**in, {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size() * 4}));
  ASSERT_TRUE((*kernel)->launch(
      {.grid = 4, .block = 256, .sharedBytes = 1024, .arguments = {(*in)->address(), (*out)->address()}}));
  ASSERT_TRUE(runner->wait());
  int sums[4] = {};
  ASSERT_TRUE(runner->download(**out, {reinterpret_cast<std::uint8_t*>(sums), 16}));
  for (int block = 0; block < 4; ++block) {
    const int first = block * int(perBlock), last = first + int(perBlock) - 1;
    EXPECT_EQ(sums[block], (first + last) * int(perBlock) / 2) << "block " << block;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryCleanKernel,
                         testing::Values("interleaved_modulo", "interleaved_contiguous", "sequential",
                                         "first_add_on_load", "unrolled_last_warp"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace stridescope::measure
