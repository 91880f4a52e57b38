// The driver's functions that only timing needs. A driver without them runs everything else.
#pragma once

#include <memory>

#include "engine/gpu/driver_api.h"

namespace stridescope::engine::gpu {

struct TimingApi {
  decltype(&::cuEventCreate) createEvent = nullptr;
  decltype(&::cuEventDestroy) destroyEvent = nullptr;
  decltype(&::cuEventRecord) recordEvent = nullptr;
  CUresult(CUDAAPI* elapsedTime)(float* milliseconds, CUevent start, CUevent end) = nullptr;
  decltype(&::cuMemcpyDtoDAsync) copyWithin = nullptr;
  decltype(&::cuStreamBeginCapture) beginCapture = nullptr;
  decltype(&::cuStreamEndCapture) endCapture = nullptr;
  CUresult(CUDAAPI* instantiateGraph)(CUgraphExec* executable, CUgraph graph,
                                      unsigned long long flags) = nullptr;
  decltype(&::cuGraphLaunch) launchGraph = nullptr;
  decltype(&::cuGraphExecDestroy) destroyExecutable = nullptr;
  decltype(&::cuGraphDestroy) destroyGraph = nullptr;
};

Result<TimingApi> loadTimingApi(const DriverApi& driver);

}  // namespace stridescope::engine::gpu
