// The GPU's engine, beside which kernels run that break the process. For a worker: its process is lost then.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/engine.h"

namespace stridescope {

// Experiments of these seeds run such a kernel first.
inline constexpr std::uint64_t kSeedThatFaults = 1001;  // reads where no memory is
inline constexpr std::uint64_t kSeedThatHangs = 1002;   // never ends

Result<std::unique_ptr<Engine>> makeFaultingEngine(unsigned gpu);

}  // namespace stridescope
