// The device memory that a variant's launches work on.
#pragma once

#include <memory>
#include <vector>

#include "kernels/run_plan.h"
#include "measure/gpu/clean_kernel.h"

namespace stridescope::measure::gpu {

// Memory for the planned buffer, filled with what it holds before the first launch.
Result<std::unique_ptr<GpuBuffer>> filledBuffer(CleanRunner& runner, const kernels::PlannedBuffer& planned,
                                                const model::Experiment& experiment);

// All of a plan's memory, with the experiment's input.
struct VariantMemory {
  std::vector<std::uint64_t> addresses{};  // the plan's buffers'
  // Sets back from copies what launches change: what a kernel works on in place, and what blocks add to.
  // These steps come before each run.
  std::vector<TimedStep> before{};
  std::vector<std::unique_ptr<GpuBuffer>> buffers{};  // the plan's and the copies
};
Result<VariantMemory> variantMemory(CleanRunner& runner, const kernels::RunPlan& plan,
                                    const model::Experiment& experiment);

// The plan's launches with an empty kernel, which has no parameters.
std::vector<TimedLaunch> emptyLaunches(const kernels::RunPlan& plan, CleanKernel& empty);

// The plan's launch on buffers at these addresses.
TimedLaunch launchOn(const kernels::RunPlan& plan, const kernels::LaunchShape& launch, CleanKernel& kernel,
                     std::span<const std::uint64_t> addresses);

}  // namespace stridescope::measure::gpu
