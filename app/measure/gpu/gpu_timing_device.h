// The GPU as a timing device, in this very process. A kernel that fails may take the process's use of the GPU
// with it: the program runs it in a worker (timing_worker.h).
#pragma once

#include <memory>

#include "engine/engine.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"

namespace stridescope::measure::gpu {

// Who times on that GPU, and by which compiler's kernels.
Result<model::Executor> timingExecutor(CleanRunner& runner);

// Opens the GPU of that number and measures its ceilings.
Result<std::unique_ptr<TimingDevice>> makeGpuTimingDevice(unsigned index);

// A block on the GPU with marks of the SM's clock: the clean kernel and the clocked one in turn, the same
// launch on the same memory.

inline constexpr unsigned kClockedRuns = 41;    // per kernel, after kClockedWarmUps each
inline constexpr unsigned kClockedWarmUps = 5;  // caches and clocks settle
inline constexpr unsigned kMarksOfAWarp = 256;  // at most

// Clocks a block of the experiment's first launch: the only block of a launch, or the block in the middle of
// the grid for kFullGridElements elements. The input lies in L2 from the run before, as far as it fits. Fails
// with a sentence for variants that demonstrate a bug and for merges.
Result<model::ClockRecord> clockBlock(CleanRunner& runner, const model::Experiment& experiment,
                                      model::ClockedGrid company, const model::Executor& gpu,
                                      engine::JobControl& job);

}  // namespace stridescope::measure::gpu
