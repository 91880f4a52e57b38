// A whole reduction on the GPU beside empty kernels in the same grids: what launching alone takes.
#pragma once

#include <optional>

#include "engine/engine.h"
#include "measure/gpu/clean_kernel.h"
#include "model/cost_record.h"

namespace stridescope::measure::gpu {

inline constexpr unsigned kCostedRuns = 21;  // per kernel, after kCostedWarmUps each
inline constexpr unsigned kCostedWarmUps = 3;

// All launches of the experiment, on its own data; `emptying` is done before each run, so that no input lies
// in L2. Fails with a sentence for variants that demonstrate a bug, and for merges.
Result<model::CostRecord> costRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const model::GpuLimits& limits,
                                  const std::optional<TimedLaunch>& emptying, engine::JobControl& job);

}  // namespace stridescope::measure::gpu
