// Traces that a file might hold: recorded by the CPU executor, then changed here and there as the input says.
#pragma once

#include <optional>

#include "input_bytes.h"
#include "model/trace.h"

namespace stridescope::fuzz {

// A trace without a fault (model/trace_check.h), small enough to be looked at in milliseconds; nothing if the
// changes made it illegal or large.
std::optional<model::Trace> mutatedTrace(InputBytes& input);

}  // namespace stridescope::fuzz
