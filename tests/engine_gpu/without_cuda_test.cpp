// A build that found no CUDA headers answers in sentences.
#include <gmock/gmock.h>

#include "engine/gpu/gpu_engine.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::engine::gpu {
namespace {

using testing::HasSubstr;

TEST(WithoutCuda, EverythingSaysSo) {
  const auto engine = makeGpuEngine(0);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(engine.error().sentence, HasSubstr("without CUDA's headers"));
  const auto runner = measure::gpu::makeCleanRunner(0);
  ASSERT_FALSE(runner);
  EXPECT_EQ(runner.error().sentence, engine.error().sentence);
  const GpuStatus status = queryGpus();
  EXPECT_FALSE(status.compiledIn);
  EXPECT_FALSE(status.usable());
  ASSERT_EQ(status.problems.size(), 1u);
  EXPECT_THAT(status.problems[0], HasSubstr("--engine host"));
}

}  // namespace
}  // namespace stridescope::engine::gpu
