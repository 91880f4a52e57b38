// A whole reduction on the GPU with the hardware's counters read: the clean kernel, every launch of it.
#pragma once

#include "measure/gpu/clean_kernel.h"
#include "model/counters.h"

namespace stridescope::measure::gpu {

// All launches of the experiment, on its own data. Fails with a sentence for variants that demonstrate a bug,
// and where counters cannot be read.
Result<model::CounterRecord> countRun(CleanRunner& runner, const model::Experiment& experiment,
                                      const model::Executor& gpu);

}  // namespace stridescope::measure::gpu
