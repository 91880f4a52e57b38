// What timing asks of NVIDIA's driver beside what running kernels does.
#pragma once

#include "engine/gpu/gpu_device.h"
#include "measure/gpu/timed_run.h"

namespace stridescope::measure::gpu {

// A driver without these functions runs everything else.
struct TimingApi {
  decltype(&::cuEventCreate) createEvent = nullptr;
  decltype(&::cuEventDestroy) destroyEvent = nullptr;
  decltype(&::cuEventRecord) recordEvent = nullptr;
  CUresult(CUDAAPI* elapsedTime)(float* milliseconds, CUevent start, CUevent end) = nullptr;
  decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor) residentBlocks = nullptr;
  decltype(&::cuMemcpyDtoDAsync) copyWithin = nullptr;
  decltype(&::cuStreamBeginCapture) beginCapture = nullptr;
  decltype(&::cuStreamEndCapture) endCapture = nullptr;
  CUresult(CUDAAPI* instantiateGraph)(CUgraphExec* executable, CUgraph graph,
                                      unsigned long long flags) = nullptr;
  decltype(&::cuGraphLaunch) launchGraph = nullptr;
  decltype(&::cuGraphExecDestroy) destroyExecutable = nullptr;
  decltype(&::cuGraphDestroy) destroyGraph = nullptr;
};

Result<TimingApi> loadTimingApi(const engine::gpu::DriverApi& driver);

// Within a GpuDevice::Entered.
Result<GpuMemoryFacts> factsOfMemory(engine::gpu::GpuDevice& device);

}  // namespace stridescope::measure::gpu
