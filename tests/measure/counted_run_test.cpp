// What is launched to read counters, with a stand-in for the GPU.
#include <gmock/gmock.h>

#include "measure/gpu/grid_run.h"
#include "stand_in_runner.h"

namespace stridescope::measure::gpu {
namespace {

const model::Executor kCounted{.kind = model::EngineKind::Gpu, .device = "A GPU", .computeCapability = "9.0"};

TEST(CountedRun, HasEveryLaunchOfTheReduction) {
  StandInRunner runner;
  const auto record = countRun(
      runner, {.variant = "sequential", .threads = 64, .elements = 64 * 64 * 2, .block = 1}, kCounted);
  ASSERT_TRUE(record) << record.error().sentence;
  // 128 blocks leave 128 values, 2 blocks leave 2, and one block the result.
  ASSERT_EQ(record->launches.size(), 3u);
  EXPECT_EQ(record->launches[0].grid, 128u);
  EXPECT_EQ(record->launches[1].grid, 2u);
  EXPECT_EQ(record->launches[2].grid, 1u);
  EXPECT_EQ(record->launches[0].block, 64u);
  EXPECT_EQ(record->launches[0].find(model::Counter::Instructions), 3.0);
  EXPECT_EQ(record->executor, kCounted);
  EXPECT_EQ(runner.plan.steps.size(), 3u);
}

// Blocks add to one word: a run begins with the identity in it.
TEST(CountedRun, SetsBackWhatLaunchesChange) {
  StandInRunner runner;
  const auto record = countRun(runner, {.variant = "many_blocks", .threads = 64, .elements = 256}, kCounted);
  ASSERT_TRUE(record) << record.error().sentence;
  const auto inPlace =
      countRun(runner, {.variant = "global_memory", .threads = 64, .elements = 64}, kCounted);
  ASSERT_TRUE(inPlace) << inPlace.error().sentence;
  EXPECT_EQ(runner.plan.before.size(), 1u);
}

TEST(CountedRun, RefusesWhatDemonstratesABug) {
  StandInRunner runner;
  const auto record =
      countRun(runner, {.variant = "divergent_barrier", .threads = 64, .elements = 64}, kCounted);
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::Usage);
  EXPECT_THAT(record.error().sentence, testing::HasSubstr("common bug"));
}

}  // namespace
}  // namespace stridescope::measure::gpu
