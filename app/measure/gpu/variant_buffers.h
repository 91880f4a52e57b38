// The device memory that a variant's launches work on.
#pragma once

#include <memory>

#include "kernels/run_plan.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::measure::gpu {

// Memory for the planned buffer, filled with what it holds before the first launch.
Result<std::unique_ptr<GpuBuffer>> filledBuffer(CleanRunner& runner, const kernels::PlannedBuffer& planned,
                                                const model::Experiment& experiment);

// The plan's launch on buffers at these addresses.
TimedLaunch launchOn(const kernels::RunPlan& plan, const kernels::LaunchShape& launch, CleanKernel& kernel,
                     std::span<const std::uint64_t> addresses);

}  // namespace stridescope::measure::gpu
