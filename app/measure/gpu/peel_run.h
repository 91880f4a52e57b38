// A whole reduction on the GPU beside itself ended early: what each of its steps costs
// (model/timing_record.h).
#pragma once

#include <optional>

#include "engine/engine.h"
#include "measure/gpu/clean_kernel.h"
#include "model/timing_record.h"

namespace stridescope::measure::gpu {

inline constexpr unsigned kPeeledRuns = 61;  // how often each runs, in turn
inline constexpr unsigned kPeeledWarmUps = 3;

// All launches of the experiment, on its own data; no input lies in L2: inputs rotate, and `emptying` is done
// before each run of a kernel that works in place. Fails with a sentence for variants that demonstrate a bug,
// for merges, for kernels in which a block waits for the others, and for those whose threads pass more than
// kMaxPeeledMarks.
Result<model::PeelRecord> peelRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const std::optional<TimedLaunch>& emptying,
                                  engine::JobControl& job);

}  // namespace stridescope::measure::gpu
