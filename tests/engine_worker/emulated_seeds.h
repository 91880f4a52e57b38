// What the emulated GPU does wrong, told by an experiment's seed.
#pragma once

#include <cstdint>

namespace stridescope {

inline constexpr std::uint64_t kSeedThatFaults =
    1001;  // the kernel faults; the driver refuses all that follows
inline constexpr std::uint64_t kSeedThatHangs = 1002;  // the kernel never ends

}  // namespace stridescope
