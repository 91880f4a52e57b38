// The part of trace_check.h that is about a launch's events.
#pragma once

#include <optional>
#include <string>

#include "model/trace.h"

namespace stridescope::model {

// The first thing wrong with the launch's events and copied words, as a clause whose subject is the launch;
// or nothing. The launch's arrays and block and the trace's sites must have been checked.
std::optional<std::string> faultOfEvents(const LaunchTrace& launch, const Trace& trace);

}  // namespace stridescope::model
