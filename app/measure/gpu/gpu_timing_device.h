// The GPU as a timing device, in this very process. A kernel that fails may take the process's use of the GPU
// with it: the program runs it in a worker (timing_worker.h).
#pragma once

#include <memory>

#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// Opens the GPU of that number and measures its ceilings.
Result<std::unique_ptr<TimingDevice>> makeGpuTimingDevice(unsigned index);

}  // namespace stridescope::measure::gpu
