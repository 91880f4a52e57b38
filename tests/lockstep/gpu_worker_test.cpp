// The engine in a process of its own, on a real GPU: kernels that fault or hang take that process with them,
// and the next record works. Nothing here launches anything in the tests' own process, which a fault would
// spoil for every later test.
#include "engine/worker/gpu_worker.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "../engine_worker/failing_seeds.h"
#include "analysis/compare.h"
#include "engine/host/host_engine.h"
#include "faulting_engine.h"
#include "kernels/catalog.h"
#include "real_gpu.h"

namespace stridescope::engine {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class GpuWorker : public testing::Test {
 protected:
  void SetUp() override {
    const auto begin = Clock::now();
    auto made = worker::makeWorkerEngine(worker::GpuWorkers().command({"gpu-worker", "0"}), {.silence = 5s});
    if (!made) GTEST_SKIP() << "SKIPPED: " << made.error().sentence;
    worker = std::move(*made);
    std::printf("worker made: %.0f ms\n", millisecondsSince(begin));
  }

  static model::Experiment experimentOf(std::uint64_t seed) {
    model::Experiment experiment;
    experiment.variant = "sequential";
    experiment.threads = 1024;
    experiment.elements = 5000;
    experiment.data = model::DataPattern::Random;
    experiment.seed = seed;
    return experiment;
  }
  Result<model::Trace> record(std::uint64_t seed) {
    JobControl job;
    return worker->record(experimentOf(seed), job);
  }
  void expectLockstep() {
    const auto begin = Clock::now();
    const auto ours = record(5);
    ASSERT_TRUE(ours) << ours.error().sentence << "\n" << ours.error().details;
    std::printf("recorded: %.1f ms\n", millisecondsSince(begin));
    JobControl job;
    const auto theirs = host::makeHostEngine()->record(experimentOf(5), job);
    ASSERT_TRUE(theirs);
    EXPECT_TRUE(ours->ok);
    EXPECT_EQ(analysis::firstDifference(*ours, *theirs).value_or(""), "");
  }

  std::unique_ptr<Engine> worker;
};

TEST_F(GpuWorker, RecordsWhatTheCpuExecutorRecords) {
  for (int i = 0; i < 5; ++i) expectLockstep();
}

// A text of the catalogue, so that the CPU executor has it compiled, with another name and another launch.
TEST_F(GpuWorker, RecordsAKernelThatItsExperimentCarries) {
  model::Kernel kernel = *kernels::findVariant("many_blocks");
  kernel.id = "of_my_own";
  kernel.threads = {96};
  kernel.launch.fixed = model::FixedLaunch{.grid = 5, .block = 96, .sharedBytes = 96 * sizeof(int)};
  model::Experiment experiment{.variant = kernel.id, .threads = 96, .elements = 480, .block = 3};
  experiment.kernel = Shared(std::move(kernel));
  JobControl job;
  const auto ours = worker->record(experiment, job);
  ASSERT_TRUE(ours) << ours.error().sentence << "\n" << ours.error().details;
  const auto theirs = host::makeHostEngine()->record(experiment, job);
  ASSERT_TRUE(theirs) << theirs.error().sentence;
  EXPECT_EQ(ours->launches.size(), 1u);
  EXPECT_EQ(ours->launches[0].grid, 5u);
  EXPECT_EQ(analysis::firstDifference(*ours, *theirs).value_or(""), "");
}

// The CPU executor has no code of it: the GPU alone compiles a text at run time.
TEST_F(GpuWorker, RecordsAKernelWhoseTextIsOfItsOwn) {
  model::Kernel kernel = *kernels::findVariant("sequential");
  kernel.id = "of_my_own";
  const std::string halved = "s /= 2";
  const auto at = kernel.text.find(halved);
  ASSERT_NE(at, std::string::npos) << kernel.text;
  kernel.text.replace(at, halved.size(), "s >>= 1");
  model::Experiment experiment = experimentOf(7);
  experiment.variant = kernel.id;
  experiment.kernel = Shared(std::move(kernel));
  JobControl job;
  const auto trace = worker->record(experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence << "\n" << trace.error().details;
  EXPECT_TRUE(trace->ok) << trace->result << " " << trace->expected;
  EXPECT_THAT(trace->kernelText, HasSubstr("s >>= 1"));
}

TEST_F(GpuWorker, AFaultIsASentenceAndTheNextRecordWorks) {
  expectLockstep();
  for (int i = 0; i < 2; ++i) {
    const auto failed = record(worker::kSeedThatFaults);
    ASSERT_FALSE(failed) << "the driver gets over a fault: then no worker is needed";
    EXPECT_THAT(failed.error().details, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
    EXPECT_THAT(failed.error().sentence, testing::EndsWith("."));
    expectLockstep();
  }
}

TEST_F(GpuWorker, AHangIsASentenceAndTheNextRecordWorks) {
  expectLockstep();
  const auto begin = Clock::now();
  const auto failed = record(worker::kSeedThatHangs);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("did not answer for 5 s"));
  std::printf("hang ended: %.0f ms\n", millisecondsSince(begin));
  expectLockstep();
}

TEST_F(GpuWorker, GoesAtOnceInTheMiddleOfAHang) {
  JobControl job;
  const auto waiting = Clock::now();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(1s);
    job.cancel = true;
  });
  EXPECT_FALSE(worker->record(experimentOf(worker::kSeedThatHangs), job));
  EXPECT_LT(Clock::now() - waiting, 1500ms);
  const auto begin = Clock::now();
  worker.reset();
  std::printf("gone: %.0f ms\n", millisecondsSince(begin));
  EXPECT_LT(Clock::now() - begin, 3s);
}

}  // namespace
}  // namespace stridescope::engine
