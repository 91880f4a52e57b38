// What timing asks of NVIDIA's driver beside what running kernels does.
#pragma once

#include "engine/gpu/gpu_device.h"
#include "engine/library_call.h"
#include "measure/gpu/timed_run.h"

namespace stridescope::measure::gpu {

// A driver without these functions runs everything else.
struct TimingApi {
  template <class Function>
  using Call = engine::LibraryFunction<Function>;

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

Result<TimingApi> loadTimingApi(const engine::gpu::DriverApi& driver);

// Within a GpuDevice::Entered.
Result<GpuMemoryFacts> factsOfMemory(engine::gpu::GpuDevice& device);

}  // namespace stridescope::measure::gpu
