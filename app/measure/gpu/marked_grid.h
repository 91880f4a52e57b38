// A whole reduction on the GPU with a mark of each block: the clean kernel and the marked one in turn, the
// same launches on the same memory.
#pragma once

#include <optional>

#include "engine/engine.h"
#include "measure/gpu/clean_kernel.h"
#include "model/timeline_record.h"

namespace stridescope::measure::gpu {

inline constexpr unsigned kMarkedRuns = 21;    // per kernel, after kMarkedWarmUps each
inline constexpr unsigned kMarkedWarmUps = 3;  // caches and clocks settle

// All launches of the experiment, on its own data; `emptying` is done before each run, so that no input lies
// in L2. Fails with a sentence for variants that demonstrate a bug, for merges, and for grids of more blocks
// than a record has.
Result<model::TimelineRecord> markGrid(CleanRunner& runner, const model::Experiment& experiment,
                                       const model::Executor& gpu, const std::optional<TimedLaunch>& emptying,
                                       engine::JobControl& job);

}  // namespace stridescope::measure::gpu
