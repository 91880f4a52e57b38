// What was measured of a run.
#pragma once

#include "session/run_counters.h"
#include "session/run_cycles.h"

namespace stridescope::session {

struct RunMeasured {
  RunCycles cycles{};
  RunCounters counters{};
};

}  // namespace stridescope::session
