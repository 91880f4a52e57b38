// Who ran a run, in words.
#pragma once

#include <string>

#include "model/trace.h"

namespace stridescope::narration {

// "CPU executor, g++ 12.2"; "recorded on NVIDIA H100 80GB HBM3, 2026-11-21T10:00:00Z, compute capability 9.0,
// driver 580.159, NVRTC 13.0".
std::string executorInWords(const model::Executor& executor);

}  // namespace stridescope::narration
