// Every way in which the driver, the compiler or the GPU can be missing or fail is a sentence, and the engine
// lives on where it can.
#include <cuda.h>
#include <gmock/gmock.h>

#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "stand_in.h"

namespace stridescope::engine::gpu {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

model::Experiment smallExperiment() {
  model::Experiment experiment;
  experiment.variant = "sequential";
  experiment.threads = 64;
  experiment.elements = 64;
  return experiment;
}

// A sentence for a person: it ends with a full stop, and says what to do in a second one.
void expectAdvice(const Error& error) {
  ASSERT_FALSE(error.sentence.empty());
  EXPECT_EQ(error.sentence.back(), '.') << error.sentence;
  EXPECT_NE(error.sentence.find(". "), std::string::npos) << error.sentence;
}

TEST(GpuWithoutADriver, SaysWhatToInstall) {
  const auto engine = makeGpuEngine(0, {.driver = "/nowhere/libcuda.so.1"});
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(engine.error().sentence, AllOf(HasSubstr("No NVIDIA driver"), HasSubstr("Install")));
  EXPECT_THAT(engine.error().details, HasSubstr("/nowhere/libcuda.so.1"));
  expectAdvice(engine.error());
}

TEST(GpuWithoutADriver, StatusStillTellsTheRest) {
  const GpuStatus status = queryGpus({.driver = "/nowhere/libcuda.so.1", .nvrtc = "/nowhere"});
  EXPECT_TRUE(status.compiledIn);
  EXPECT_FALSE(status.usable());
  EXPECT_THAT(status.gpus, IsEmpty());
  ASSERT_GE(status.problems.size(), 2u);
  EXPECT_THAT(status.problems, testing::Contains(HasSubstr("No NVIDIA driver")));
  EXPECT_THAT(status.problems, testing::Contains(HasSubstr("NVRTC")));
}

TEST(GpuWithoutADriver, ALibraryThatIsNoDriverIsTooOld) {
  const auto engine = makeGpuEngine(0, {.driver = "libm.so.6"});
  ASSERT_FALSE(engine);
  EXPECT_THAT(engine.error().sentence, HasSubstr("too old"));
  EXPECT_THAT(engine.error().details, HasSubstr("cuMemAlloc_v2"));
}

using DriverFailure = StandInTest;

TEST_F(DriverFailure, NoGpu) {
  state->devices = 0;
  const auto engine = makeGpuEngine(0, places);
  ASSERT_FALSE(engine);
  EXPECT_THAT(engine.error().sentence, AllOf(HasSubstr("start the NVIDIA driver"), HasSubstr("nvidia-smi")));
  // A GPU in MIG mode without a compute instance is no device to the driver.
  EXPECT_THAT(engine.error().sentence, HasSubstr("a GPU in MIG mode needs a compute instance"));
}

// The window asks for it in its own process, where no kernel shall ever run.
TEST_F(DriverFailure, StatusMakesNoContext) {
  state->contexts = 100;
  EXPECT_EQ(queryGpus(places).gpus.size(), 1u);
  EXPECT_EQ(state->contexts, 100);
  EXPECT_EQ(state->torn, 0);
}

TEST_F(DriverFailure, NoGpuOfThatNumber) {
  const auto engine = makeGpuEngine(7, places);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().kind, ErrorKind::Usage);
  EXPECT_THAT(engine.error().sentence, HasSubstr("There is no GPU 7"));
}

TEST_F(DriverFailure, NoNvrtc) {
  places.nvrtc = "/nowhere/libnvrtc.so.13";
  const auto engine = makeGpuEngine(0, places);
  ASSERT_FALSE(engine);
  EXPECT_THAT(engine.error().sentence, AllOf(HasSubstr("NVRTC"), HasSubstr("STRIDESCOPE_NVRTC")));
  expectAdvice(engine.error());
}

class DriverFailureWithNvrtc : public StandInTest {
 protected:
  void SetUp() override {
    StandInTest::SetUp();
    NEEDS_NVRTC();
    auto made = makeGpuEngine(0, places);
    ASSERT_TRUE(made) << made.error().sentence;
    engine = std::move(*made);
  }

  // The failing record's error.
  Error failingRecord() {
    JobControl job;
    const auto trace = engine->record(smallExperiment(), job);
    EXPECT_FALSE(trace);
    return trace ? Error{} : trace.error();
  }
  void expectGoodRecord() {
    JobControl job;
    const auto trace = engine->record(smallExperiment(), job);
    EXPECT_TRUE(trace) << trace.error().sentence;
  }

  std::unique_ptr<Engine> engine;
};

TEST_F(DriverFailureWithNvrtc, TheDriverIsOlderThanTheCompiler) {
  state->driverVersion = 11080;
  const auto old = makeGpuEngine(0, places);
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().sentence, AllOf(HasSubstr("CUDA 11.8"), HasSubstr("Update the driver")));
}

TEST_F(DriverFailureWithNvrtc, TheGpuIsOlderThanTheCompiler) {
  state->computeCapability = 35;
  const auto old = makeGpuEngine(0, places);
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().sentence, HasSubstr("compute capability 3.5"));
  const GpuStatus status = queryGpus(places);
  ASSERT_EQ(status.gpus.size(), 1u);
  EXPECT_FALSE(status.gpus[0].problems.empty());
  EXPECT_FALSE(status.usable());
}

TEST_F(DriverFailureWithNvrtc, AGpuNewerThanTheCompilerIsServed) {
  state->computeCapability = 999;
  auto made = makeGpuEngine(0, places);
  ASSERT_TRUE(made) << made.error().sentence;
  engine = std::move(*made);
  expectGoodRecord();
}

TEST_F(DriverFailureWithNvrtc, ProhibitedComputeMode) {
  state->computeMode = CU_COMPUTEMODE_PROHIBITED;
  auto made = makeGpuEngine(0, places);
  ASSERT_TRUE(made);
  engine = std::move(*made);
  EXPECT_THAT(failingRecord().sentence, HasSubstr("--compute-mode=DEFAULT"));
  EXPECT_THAT(queryGpus(places).gpus.at(0).problems, testing::Not(IsEmpty()));
}

TEST_F(DriverFailureWithNvrtc, AnotherProgramHoldsTheGpu) {
  fail("cuCtxCreate_v2", CUDA_ERROR_DEVICE_UNAVAILABLE, 1);
  EXPECT_THAT(failingRecord().sentence, HasSubstr("Another program holds the GPU"));
  expectGoodRecord();
}

TEST_F(DriverFailureWithNvrtc, OutOfMemory) {
  fail("cuMemAlloc_v2", CUDA_ERROR_OUT_OF_MEMORY, 1);
  const Error error = failingRecord();
  EXPECT_THAT(error.sentence,
              AllOf(HasSubstr("allocate"), HasSubstr("out of memory"), HasSubstr("fewer elements")));
  EXPECT_THAT(error.details, AllOf(HasSubstr("cuMemAlloc"), HasSubstr("CUDA_ERROR_OUT_OF_MEMORY (2)")));
  expectGoodRecord();
  EXPECT_TRUE(engine->isUsable());
  EXPECT_EQ(state->torn, 0) << "running out of memory leaves the context whole";
}

TEST_F(DriverFailureWithNvrtc, MoreElementsThanMemory) {
  model::Experiment experiment = smallExperiment();
  experiment.elements = 1ull << 40;
  JobControl job;
  const auto trace = engine->record(experiment, job);
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().sentence, HasSubstr("Take fewer elements"));
}

// Each call that a record makes, failing with an error of its own kind.
TEST_F(DriverFailureWithNvrtc, EveryCallIsChecked) {
  for (const char* call :
       {"cuCtxCreate_v2", "cuCtxPopCurrent_v2", "cuCtxPushCurrent_v2", "cuStreamCreate", "cuModuleLoadData",
        "cuModuleGetFunction", "cuModuleGetGlobal_v2", "cuFuncGetAttribute", "cuMemGetInfo_v2",
        "cuMemAlloc_v2", "cuMemAllocHost_v2", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
        "cuMemsetD8Async", "cuLaunchKernel", "cuStreamQuery", "cuStreamSynchronize"}) {
    SCOPED_TRACE(call);
    auto made = makeGpuEngine(0, places);
    ASSERT_TRUE(made);
    engine = std::move(*made);
    fail(call, CUDA_ERROR_INVALID_VALUE, 1);
    const Error error = failingRecord();
    expectAdvice(error);
    EXPECT_THAT(error.details, HasSubstr(std::string(call).substr(0, std::string(call).find("_v2"))));
    expectGoodRecord();
  }
}

TEST_F(DriverFailureWithNvrtc, AFailedKernelCostsOneRecord) {
  expectGoodRecord();
  for (const int code : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_FAILED}) {
    SCOPED_TRACE(code);
    const int torn = state->torn;
    fail("cuStreamQuery", code, 1);
    expectAdvice(failingRecord());
    EXPECT_FALSE(engine->isUsable());
    expectGoodRecord();
    EXPECT_EQ(state->torn, torn + 1);
    EXPECT_TRUE(engine->isUsable());
    EXPECT_EQ(state->contexts, 1);
  }
}

TEST_F(DriverFailureWithNvrtc, PreparingWithoutExperimentsOpensTheGpu) {
  JobControl job;
  EXPECT_EQ(state->contexts, 0);
  ASSERT_TRUE(engine->prepare({}, job));
  EXPECT_EQ(state->contexts, 1);
  const int allocations = state->allocations;
  EXPECT_GT(allocations, 0);
  EXPECT_EQ(state->pinned, 1);
  expectGoodRecord();
  EXPECT_EQ(state->pinned, 1) << "it was ready";
  fail("cuCtxPushCurrent_v2", CUDA_ERROR_INVALID_VALUE, 1);
  EXPECT_FALSE(engine->prepare({}, job));
}

TEST_F(DriverFailureWithNvrtc, NothingIsLeftBehind) {
  expectGoodRecord();
  EXPECT_GT(state->allocations, 0);
  engine.reset();
  EXPECT_EQ(state->contexts, 0);
  EXPECT_EQ(state->streams, 0);
  EXPECT_EQ(state->modules, 0);
  EXPECT_EQ(state->allocations, 0);
  EXPECT_EQ(state->pinned, 0);
}

TEST_F(DriverFailureWithNvrtc, NothingIsLeftBehindAfterALostContext) {
  fail("cuLaunchKernel", CUDA_ERROR_LAUNCH_FAILED, 1);
  failingRecord();
  engine.reset();
  EXPECT_EQ(state->contexts, 0);
  EXPECT_EQ(state->allocations, 0);
}

TEST_F(DriverFailureWithNvrtc, ACancelledJobEnds) {
  JobControl job;
  job.cancel = true;
  const auto trace = engine->record(smallExperiment(), job);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(state->launches, 0);
}

}  // namespace
}  // namespace stridescope::engine::gpu
