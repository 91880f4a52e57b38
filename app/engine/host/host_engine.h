// The CPU executor: the instrumented text of each variant, compiled at build time, one fiber a thread.
#pragma once

#include <memory>

#include "engine/engine.h"

namespace stridescope {

// Never fails to be made. Its record() takes n up to 2^24. Several may run at once, each on its own thread.
std::unique_ptr<Engine> makeHostEngine(const RecordLimits& limits = {});

}  // namespace stridescope
