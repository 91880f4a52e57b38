// What is between the two events and what is not, on a driver made of functions that note their calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>

#include "measure/gpu/device_timed_run.h"

namespace stridescope::measure {
namespace {

using testing::ElementsAre;

struct Noted {
  std::vector<std::string> calls;
  std::uint32_t result = 42;  // what every copy to the host brings
  CUresult copyCode = CUDA_SUCCESS;
  std::vector<std::unique_ptr<std::byte[]>> hostMemory;  // a lost context's goes with it, unfreed
};
Noted* noted = nullptr;  // the running test's: the driver's functions have no other way to it

CUresult note(const std::string& call) {
  noted->calls.push_back(call);
  return CUDA_SUCCESS;
}
template <class Handle>
Handle handle(std::uintptr_t number) {
  return reinterpret_cast<Handle>(number);
}

engine::gpu::DriverApi standIn() {
  engine::gpu::DriverApi api;
  api.cuDevicePrimaryCtxRetain = [](CUcontext* context, CUdevice) {
    *context = handle<CUcontext>(1);
    return CUDA_SUCCESS;
  };
  api.cuDevicePrimaryCtxRelease = [](CUdevice) { return CUDA_SUCCESS; };
  api.cuDevicePrimaryCtxReset = [](CUdevice) { return CUDA_SUCCESS; };
  api.cuCtxPushCurrent = [](CUcontext) { return CUDA_SUCCESS; };
  api.cuCtxPopCurrent = [](CUcontext*) { return CUDA_SUCCESS; };
  api.cuStreamCreate = [](CUstream* stream, unsigned) {
    *stream = handle<CUstream>(2);
    return CUDA_SUCCESS;
  };
  api.cuStreamDestroy = [](CUstream) { return CUDA_SUCCESS; };
  api.cuStreamQuery = [](CUstream) { return note("finish"); };
  api.cuMemAllocHost = [](void** memory, std::size_t bytes) {
    *memory = noted->hostMemory.emplace_back(std::make_unique<std::byte[]>(bytes)).get();
    return CUDA_SUCCESS;
  };
  api.cuMemFreeHost = [](void*) { return CUDA_SUCCESS; };
  api.cuMemsetD8Async = [](CUdeviceptr, unsigned char, std::size_t, CUstream) { return note("fill"); };
  api.cuMemcpyDtoHAsync = [](void* to, CUdeviceptr, std::size_t bytes, CUstream) {
    std::memcpy(to, &noted->result, std::min(bytes, sizeof noted->result));
    return note("copy to host");
  };
  api.cuGetErrorName = [](CUresult, const char** text) {
    *text = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return CUDA_SUCCESS;
  };
  api.cuGetErrorString = [](CUresult, const char** text) {
    *text = "an illegal memory access was encountered";
    return CUDA_SUCCESS;
  };
  return api;
}

gpu::TimingApi standInTiming() {
  gpu::TimingApi api;
  api.createEvent = [](CUevent* event, unsigned) {
    *event = handle<CUevent>(3);
    return CUDA_SUCCESS;
  };
  api.destroyEvent = [](CUevent) { return CUDA_SUCCESS; };
  api.recordEvent = [](CUevent, CUstream) { return note("event"); };
  api.elapsedTime = [](float* milliseconds, CUevent, CUevent) {
    *milliseconds = 0.25f;
    return CUDA_SUCCESS;
  };
  api.copyWithin = [](CUdeviceptr, CUdeviceptr from, std::size_t, CUstream) {
    if (noted->copyCode != CUDA_SUCCESS) return noted->copyCode;
    return note("copy from " + std::to_string(from));
  };
  api.beginCapture = [](CUstream, CUstreamCaptureMode) { return note("begin capture"); };
  api.endCapture = [](CUstream, CUgraph* graph) {
    *graph = handle<CUgraph>(4);
    return note("end capture");
  };
  api.instantiateGraph = [](CUgraphExec* executable, CUgraph, unsigned long long) {
    *executable = handle<CUgraphExec>(5);
    return note("instantiate");
  };
  api.launchGraph = [](CUgraphExec, CUstream) { return note("launch graph"); };
  api.destroyExecutable = [](CUgraphExec) { return note("destroy executable"); };
  api.destroyGraph = [](CUgraph) { return note("destroy graph"); };
  return api;
}

constexpr std::uint64_t kPlace = 1000, kOther = 2000, kInput = 7000;

struct TimedRuns : testing::Test {
  Noted notes;
  engine::gpu::GpuDevice device{
      std::make_shared<const engine::gpu::DriverApi>(standIn()), {}, engine::gpu::ContextKind::Primary};
  gpu::TimedPlan plan{.name = "it",
                      .before = {gpu::TimedFill{1, 4, 0xa5}},
                      .steps = {gpu::TimedCopy{3, kPlace, 4}, gpu::TimedCopy{3, kOther, 4},
                                gpu::TimedWork{[](std::uint64_t input, void*) -> Result<void> {
                                  note("work on " + std::to_string(input));
                                  return {};
                                }}},
                      .inputPlace = kPlace,
                      .resultAddress = 1,
                      .resultBytes = 4};

  TimedRuns() { noted = &notes; }
  Result<gpu::TimedOutcome> run() {
    const auto entered = device.enter();
    run_ = gpu::DeviceTimedRun::make(device, standInTiming(), plan, {}).value();
    notes.calls.clear();
    return run_->run(kInput);
  }
  std::unique_ptr<gpu::TimedRun> run_;
};

TEST_F(TimedRuns, TimeTheStepsAndNothingElse) {
  const auto outcome = run();
  ASSERT_TRUE(outcome) << outcome.error().sentence;
  EXPECT_THAT(notes.calls, ElementsAre("fill", "finish", "event", "copy from 7000", "copy from 2000",
                                       "work on 7000", "event", "copy to host", "finish"));
  EXPECT_DOUBLE_EQ(outcome->microseconds, 250);
  std::uint32_t result = 0;
  ASSERT_EQ(outcome->result.size(), sizeof result);
  std::memcpy(&result, outcome->result.data(), sizeof result);
  EXPECT_EQ(result, 42u);
}

TEST_F(TimedRuns, TimeTheCopyToTheHostWhereTheHostFinishes) {
  plan.resultIsTimed = true;
  ASSERT_TRUE(run());
  EXPECT_THAT(notes.calls, ElementsAre("fill", "finish", "event", "copy from 7000", "copy from 2000",
                                       "work on 7000", "copy to host", "event", "finish"));
}

TEST_F(TimedRuns, MakeTheGraphBeforeTheFirstEvent) {
  plan.graph = true;
  ASSERT_TRUE(run());
  EXPECT_THAT(notes.calls,
              ElementsAre("fill", "begin capture", "copy from 7000", "copy from 2000", "work on 7000",
                          "end capture", "instantiate", "finish", "event", "launch graph", "event",
                          "copy to host", "finish", "destroy executable", "destroy graph"));
}

TEST_F(TimedRuns, TellWhatFailed) {
  notes.copyCode = CUDA_ERROR_ILLEGAL_ADDRESS;
  const auto outcome = run();
  ASSERT_FALSE(outcome);
  EXPECT_FALSE(device.isUsable());
}

}  // namespace
}  // namespace stridescope::measure
