// What timing asks of NVIDIA's driver beside what running kernels does, and the time between two events on a
// device's stream.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "engine/gpu/driver_api.h"
#include "engine/gpu/gpu_device.h"
#include "engine/library_call.h"

namespace stridescope::engine::gpu {

// A driver without these functions runs everything else.
struct TimingApi {
  template <class Function>
  using Call = LibraryFunction<Function>;

  Call<decltype(&::cuEventCreate)> createEvent{"cuEventCreate"};
  Call<decltype(&::cuEventDestroy)> destroyEvent{"cuEventDestroy"};
  Call<decltype(&::cuEventRecord)> recordEvent{"cuEventRecord"};
  Call<CUresult(CUDAAPI*)(float* milliseconds, CUevent start, CUevent end)> elapsedTime{"cuEventElapsedTime"};
  Call<decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor)> residentBlocks{
      "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
  Call<decltype(&::cuMemcpyDtoDAsync)> copyWithin{"cuMemcpyDtoDAsync"};
  Call<decltype(&::cuStreamBeginCapture)> beginCapture{"cuStreamBeginCapture"};
  Call<decltype(&::cuStreamEndCapture)> endCapture{"cuStreamEndCapture"};
  Call<CUresult(CUDAAPI*)(CUgraphExec* executable, CUgraph graph, unsigned long long flags)> instantiateGraph{
      "cuGraphInstantiate"};
  Call<decltype(&::cuGraphLaunch)> launchGraph{"cuGraphLaunch"};
  Call<decltype(&::cuGraphExecDestroy)> destroyExecutable{"cuGraphExecDestroy"};
  Call<decltype(&::cuGraphDestroy)> destroyGraph{"cuGraphDestroy"};
};

Result<TimingApi> loadTimingApi(const DriverApi& driver);

// Two events, made once.
class Stopwatch {
 public:
  // Within a GpuDevice::Entered, as everything here.
  static Result<std::unique_ptr<Stopwatch>> make(GpuDevice& device);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  // Microseconds from before the first thing that `launches` enqueues to behind the last, which has ended
  // when this returns. `limit`: for it to end.
  Result<double> timed(const std::function<Result<void>()>& launches, std::chrono::milliseconds limit);

 private:
  Stopwatch(GpuDevice& device, TimingApi api) : device_(device), api_(std::move(api)) {}

  GpuDevice& device_;
  TimingApi api_;
  CUevent begin_ = nullptr, end_ = nullptr;
};

}  // namespace stridescope::engine::gpu
