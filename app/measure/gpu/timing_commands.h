// How the program is started to take times on a GPU: `stridescope timing-worker N`.
#pragma once

#include <string_view>

namespace stridescope::measure::gpu {

inline constexpr std::string_view kTimingWorkerCommand = "timing-worker";

}  // namespace stridescope::measure::gpu
