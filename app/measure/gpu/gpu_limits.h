// What a GPU does at most, measured by kernels that do one thing alone.
#pragma once

#include "engine/engine.h"
#include "measure/gpu/clean_kernel.h"
#include "model/cost_record.h"

namespace stridescope::measure::gpu {

// The latency of a load from device memory (a pointer chase past L2, one thread), the clock of a
// multiprocessor meanwhile, and the time of an empty kernel. `readGigabytesPerSecond`, the reading pass's, is
// kept as it is. Takes memory for a moment: six times the size of L2.
Result<model::GpuLimits> measureLimits(CleanRunner& runner, double readGigabytesPerSecond,
                                       engine::JobControl& job);

// A kernel that does nothing, launched without arguments.
Result<std::unique_ptr<CleanKernel>> loadEmptyKernel(CleanRunner& runner);

}  // namespace stridescope::measure::gpu
