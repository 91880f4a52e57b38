// Stands in for CUPTI's counters in a build that found no CUPTI headers.
#include "measure/gpu/hardware_counters.h"

namespace stridescope::measure::gpu {

Result<std::unique_ptr<HardwareCounters>> openCuptiCounters(unsigned, int) {
  return unavailable(
      "This program was built without CUPTI's headers and reads no counters. Build it where the CUDA toolkit "
      "is "
      "installed with CUPTI.");
}

}  // namespace stridescope::measure::gpu
