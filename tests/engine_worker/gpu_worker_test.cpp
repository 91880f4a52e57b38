// The GPU's engine in a process of its own, over the stand-in driver (../engine_gpu/), and the real program
// as that process.
#include "engine/worker/gpu_worker.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>

#include "../engine_gpu/needs_nvrtc.h"
#include "../engine_gpu/stand_in.h"
#include "analysis/compare.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "failing_seeds.h"
#include "kernels/catalog.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Sets a variable of the environment, which workers inherit.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

class EmulatedWorker : public testing::Test {
 protected:
  void SetUp() override {
    NEEDS_NVRTC();
    start();
  }
  void start() {
    auto made = makeWorkerEngine({.program = STRIDESCOPE_EMULATED_CHILD, .arguments = {}}, limits);
    ASSERT_TRUE(made) << made.error().sentence << "\n" << made.error().details;
    worker = std::move(*made);
  }

  Result<model::Trace> record(const std::string& id, std::uint64_t seed) {
    const kernels::Variant& variant = *kernels::findVariant(id);
    model::Experiment experiment;
    experiment.variant = id;
    experiment.op = variant.operators.front();
    experiment.threads = variant.defaultThreads;
    experiment.elements = variant.merges() ? 64 : 1000;
    experiment.data = model::DataPattern::Random;
    experiment.seed = seed;
    asked = experiment;
    JobControl job;
    return worker->record(experiment, job);
  }

  // What the worker records of a variant is what the CPU executor records. (The wrong ones may do as the
  // schedule does.) EmulatedLockstep tries every variant without the worker.
  void expectLockstep() {
    const auto host = host::makeHostEngine();
    for (const kernels::Variant& variant : kernels::catalog()) {
      if (!support::wholeSweeps() && (&variant - kernels::catalog().data()) % 5 != 0) continue;
      SCOPED_TRACE(variant.id);
      if (variant.isWrong() || !refusalOf(worker->executor(), {.variant = std::string(variant.id)}).empty())
        continue;
      const auto ours = record(std::string(variant.id), 5);
      ASSERT_TRUE(ours) << ours.error().sentence << "\n" << ours.error().details;
      JobControl job;
      const auto theirs = host->record(asked, job);
      ASSERT_TRUE(theirs);
      EXPECT_TRUE(ours->ok);
      EXPECT_EQ(ours->result, theirs->result);
      EXPECT_EQ(analysis::firstDifference(*ours, *theirs).value_or(""), "");
      EXPECT_EQ(ours->executor.kind, model::EngineKind::Gpu);
    }
  }

  gpu::TemporaryFolder cache;
  Variable cacheVariable{"STRIDESCOPE_KERNEL_CACHE", cache.path()};
  WorkerLimits limits{.silence = 60s, .cancelling = 300ms};  // a laden machine compiles slowly
  std::unique_ptr<Engine> worker;
  model::Experiment asked;
};

TEST_F(EmulatedWorker, RecordsWhatTheCpuExecutorRecords) { expectLockstep(); }

// What was seen on real GPUs: after a kernel's fault no context can be made in that process again.
TEST_F(EmulatedWorker, AFaultIsASentenceAndTheNextRecordWorks) {
  ASSERT_TRUE(record("sequential", 5));
  for (int i = 0; i < 3; ++i) {
    const auto failed = record("sequential", kSeedThatFaults);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().details, HasSubstr("(700)"));
    const auto next = record("sequential", 5);
    ASSERT_TRUE(next) << next.error().sentence;
    EXPECT_TRUE(next->ok);
  }
}

TEST_F(EmulatedWorker, AHangIsASentenceAndTheNextRecordWorks) {
  ASSERT_TRUE(record("sequential", 5));  // compiled from here on
  limits.silence = 3s;
  start();
  const auto failed = record("sequential", kSeedThatHangs);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().sentence, HasSubstr("did not answer for 3 s"));
  const auto next = record("sequential", 5);
  ASSERT_TRUE(next) << next.error().sentence;
  EXPECT_TRUE(next->ok);
}

// The error is the engine's own: the driver's absence, which the worker meets, and not the worker's.
TEST(GpuWorkerProgram, ServesTheGpu) {
  const Variable noDriver("STRIDESCOPE_LIBCUDA", "/nowhere/libcuda.so.1");
  WorkerCommand command = GpuWorkers().command({"gpu-worker", "0"});
  command.program = STRIDESCOPE_PROGRAM;
  const auto made = makeWorkerEngine(command);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().sentence, HasSubstr("No NVIDIA driver was found"));
  EXPECT_THAT(made.error().details, HasSubstr("/nowhere/libcuda.so.1"));
}

TEST(GpuWorkerProgram, ServesTheStandIn) {
  NEEDS_NVRTC();
  const Variable driver("STRIDESCOPE_LIBCUDA", STRIDESCOPE_STAND_IN_DRIVER);
  const gpu::TemporaryFolder cache;
  const Variable cacheVariable("STRIDESCOPE_KERNEL_CACHE", cache.path());
  WorkerCommand command = GpuWorkers().command({"gpu-worker", "0"});
  command.program = STRIDESCOPE_PROGRAM;
  const auto made = makeWorkerEngine(command);
  ASSERT_TRUE(made) << made.error().sentence;
  EXPECT_EQ((*made)->executor().device, "Stand-in GPU");
  model::Experiment experiment;
  experiment.variant = "sequential";
  experiment.elements = 256;
  JobControl job;
  const auto trace = (*made)->record(experiment, job);  // its kernels do nothing
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_FALSE(trace->ok);
}

// A person starts it without a socket.
TEST(GpuWorkerProgram, ExplainsItselfToAPerson) {
  const std::string command = std::string(STRIDESCOPE_PROGRAM) + " gpu-worker 0 3</dev/null 2>&1";
  FILE* const output = ::popen(command.c_str(), "r");
  ASSERT_NE(output, nullptr);
  char line[200]{};
  EXPECT_NE(std::fgets(line, sizeof line, output), nullptr);
  EXPECT_THAT(line, HasSubstr("starts this command by itself"));
  EXPECT_EQ(WEXITSTATUS(::pclose(output)), 2);
}

}  // namespace
}  // namespace stridescope::engine::worker
