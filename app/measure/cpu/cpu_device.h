// Reductions on the CPU, timed with the steady clock: the data lie in the host's memory, and nothing is
// copied to or from a GPU.
#pragma once

#include <memory>

#include "measure/timing_device.h"

namespace stridescope::measure::cpu {

Result<std::unique_ptr<TimingDevice>> makeCpuTimingDevice();

}  // namespace stridescope::measure::cpu
