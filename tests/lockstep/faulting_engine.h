// The GPU's engine, beside which kernels run that break the process. For a worker: its process is lost then.
#pragma once

#include <memory>

#include "engine/engine.h"

namespace stridescope::engine {

// Experiments of the seeds of failing_seeds.h run such a kernel first.
Result<std::unique_ptr<Engine>> makeFaultingEngine(unsigned gpu);

}  // namespace stridescope::engine
