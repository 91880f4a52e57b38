// Seeds of experiments that tell a test's worker what shall go wrong on its GPU.
#pragma once

#include <cstdint>

namespace stridescope::engine::worker {

inline constexpr std::uint64_t kSeedThatFaults =
    1001;                                              // a kernel faults; the driver refuses all that follows
inline constexpr std::uint64_t kSeedThatHangs = 1002;  // a kernel never ends

}  // namespace stridescope::engine::worker
