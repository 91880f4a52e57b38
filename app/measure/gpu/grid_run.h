// A whole reduction of the catalogue on the GPU, planned and with its memory filled: what reads counters,
// marks blocks or times parts of it launches.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "kernels/run_plan.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/variant_buffers.h"
#include "model/trace.h"

namespace stridescope::measure::gpu {

struct GridRun {
  model::Experiment experiment;  // as asked for, checked
  kernels::RunPlan plan;
  std::unique_ptr<CleanKernel> kernel;  // the clean one
  VariantMemory memory;

  std::string kernelHash() const;
  // What is done before each run, and no launch yet. The result is the reduction's.
  TimedPlan emptyPlan() const;
  // The plan's launches of a kernel that takes the catalogue's arguments.
  std::vector<TimedLaunch> launchesOf(CleanKernel& launched) const;
};

// What is measured, and of which experiments it is not.
struct GridMeasured {
  std::string what;  // "counters"
  bool merges = true;
  std::uint64_t maxBlocks = ~std::uint64_t{0};  // all launches' together
};

// All launches of the experiment, on its own data. Fails with a sentence; the error has kind Usage if the
// experiment is at fault.
Result<GridRun> planGrid(CleanRunner& runner, const model::Experiment& experiment, const model::Executor& gpu,
                         const GridMeasured& measured);

}  // namespace stridescope::measure::gpu
