// Whether a trace has all that happened.
#pragma once

#include "model/trace.h"

namespace stridescope::model {

// Events of a recorded block were dropped at a limit.
bool isCut(const Trace& trace);

}  // namespace stridescope::model
