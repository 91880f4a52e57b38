// Whether a recording may hold what is to be written: what the reader would call damaged is not written.
#pragma once

#include <atomic>
#include <span>
#include <variant>

#include "archive/recording_file.h"
#include "base/result.h"

namespace stridescope::archive {

// Everything against the limits of its own structures and of the file (recording_limits.h). The error says
// what is beyond which limit. `cancel` may be null.
Result<std::monostate> checkWritable(std::span<const model::Trace> traces, const Measured& measured,
                                     const std::atomic<bool>* cancel);

}  // namespace stridescope::archive
