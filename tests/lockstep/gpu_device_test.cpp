// The engine on a real GPU, beside what it records: how long it takes, and how it stops what does not end.
// What breaks a process on a GPU is in gpu_worker_test.cpp.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "engine/gpu/gpu_engine.h"
#include "real_gpu.h"

namespace stridescope::engine {
namespace {

using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

model::Experiment sequentialOf(unsigned threads, std::uint64_t elements) {
  model::Experiment experiment;
  experiment.variant = "sequential";
  experiment.threads = threads;
  experiment.elements = elements;
  return experiment;
}

TEST_F(RealGpu, TellsWhatItIs) {
  const model::Executor executor = gpu->executor();
  EXPECT_EQ(executor.kind, model::EngineKind::Gpu);
  EXPECT_THAT(executor.compiler, testing::StartsWith("NVRTC "));
  EXPECT_FALSE(executor.device.empty());
  const GpuStatus status = gpu::queryGpus();
  EXPECT_TRUE(status.usable());
  ASSERT_FALSE(status.gpus.empty());
  EXPECT_EQ(status.gpus[0].name, executor.device);
  EXPECT_EQ(status.gpus[0].computeCapability, executor.computeCapability);
  EXPECT_GT(status.gpus[0].memoryBytes, 1ull << 30);
  EXPECT_TRUE(status.problems.empty()) << status.problems[0];
  std::printf("%s, compute capability %s, driver %s, %s from %s\n", executor.device.c_str(),
              executor.computeCapability.c_str(), executor.driver.c_str(), executor.compiler.c_str(),
              status.nvrtcLibrary.c_str());
}

TEST_F(RealGpu, RecordsABlockWithinAFrame) {
  const model::Experiment experiment = sequentialOf(1024, 1024);
  ASSERT_TRUE(record(experiment));  // compiles and allocates
  std::vector<double> milliseconds;
  for (int i = 0; i < 21; ++i) {
    const auto begin = Clock::now();
    ASSERT_TRUE(record(experiment));
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  std::ranges::sort(milliseconds);
  std::printf("recorded and copied back, 1024 threads: median %.2f ms, slowest %.2f ms\n", milliseconds[10],
              milliseconds.back());
  EXPECT_LT(milliseconds[10], 16.0);
}

// 2^24 elements: all blocks but one run without being recorded.
TEST_F(RealGpu, OtherBlocksRunThroughQuickly) {
  const model::Experiment experiment = sequentialOf(256, 1u << 24);
  ASSERT_TRUE(record(experiment));
  const auto begin = Clock::now();
  const auto trace = record(experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_TRUE(trace->ok);
  std::printf("2^24 elements: %.0f ms\n",
              std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
}

TEST_F(RealGpu, MoreElementsThanMemoryIsASentence) {
  const auto trace = record(sequentialOf(256, 1ull << 40));
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().sentence, HasSubstr("Take fewer elements"));
  EXPECT_TRUE(record(sequentialOf(256, 256)));
}

TEST_F(RealGpu, AThreadThatMakesTooManyEventsIsStopped) {
  auto small = gpu::makeGpuEngine(0, {}, {.eventsPerThread = 20});
  ASSERT_TRUE(small);
  JobControl job;
  const auto trace = (*small)->record(sequentialOf(256, 256), job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  const model::LaunchTrace& launch = trace->launches.front();
  EXPECT_TRUE(launch.recorded().cut);
  EXPECT_TRUE(trace->result.empty());
  EXPECT_THAT(trace->checkNote, HasSubstr("did not end"));
  ASSERT_FALSE(launch.recorded().problems.empty());
  EXPECT_EQ(launch.recorded().problems[0].kind, model::ProblemKind::Limit);
  for (unsigned thread = 0; thread < launch.block; ++thread)
    EXPECT_LE(launch.recorded().first[thread + 1] - launch.recorded().first[thread], 20u);
  EXPECT_TRUE(record(sequentialOf(256, 256))->ok);
}

}  // namespace
}  // namespace stridescope::engine
