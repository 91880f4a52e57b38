// The clean text of every variant that a GPU runs, once, by its run plan. With the wrong ones, whose results
// may be wrong: under compute-sanitizer's racecheck each shows whether it has a shared-memory hazard
// (CleanText.* one by one; the analysis of races says which are to have one).
#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "measure/gpu/input_pool.h"
#include "measure/gpu/memory_passes.h"
#include "measure/gpu/timed_subject.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

class CleanText : public testing::TestWithParam<const kernels::Variant*> {
 protected:
  void SetUp() override {
    auto made = engine::gpu::makeCleanRunner(0);
    if (!made) GTEST_SKIP() << "SKIPPED: " << made.error().sentence;
    runner = std::move(*made);
  }
  std::unique_ptr<engine::gpu::CleanRunner> runner;
};

TEST_P(CleanText, Runs) {
  const kernels::Variant& variant = *GetParam();
  const model::TimingStation station{
      .op = variant.operators.front(),
      .elements = 3ull * variant.usualThreads * variant.elementsPerThread,
  };
  gpu::InputPool inputs(*runner);
  const auto filled = inputs.fill(station, station.elements);
  ASSERT_TRUE(filled) << filled.error().sentence;
  const auto passes = gpu::MemoryPasses::load(*runner);
  ASSERT_TRUE(passes) << passes.error().sentence;
  const gpu::StationMemory memory{.inputPlace = inputs.first(), .room = station.elements, .passes = &*passes};
  const auto subject =
      gpu::makeTimedVariant(*runner, {model::SubjectKind::Variant, std::string(variant.id)}, station, memory);
  ASSERT_TRUE(subject) << subject.error().sentence;
  const auto timed = (*subject)->run(inputs.next());
  ASSERT_TRUE(timed) << timed.error().sentence;
  if (variant.isWrong()) return;
  EXPECT_EQ(timed->resultBits, expectedResult(station.type, station.op, station.elements));
}

std::vector<const kernels::Variant*> thatRunOnGpus() {
  std::vector<const kernels::Variant*> variants;
  for (const kernels::Variant& variant : kernels::catalog())
    if (variant.onlyOnCpu.empty() && !variant.merges()) variants.push_back(&variant);
  return variants;
}

INSTANTIATE_TEST_SUITE_P(Catalog, CleanText, testing::ValuesIn(thatRunOnGpus()),
                         [](const auto& one) { return std::string(one.param->id); });

}  // namespace
}  // namespace stridescope::measure
