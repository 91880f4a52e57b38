// The part of trace_check.h that is about a recorded block's events.
#pragma once

#include <optional>
#include <string>

#include "model/trace.h"

namespace stridescope::model {

// The first thing wrong with the events and copied words of one of the launch's blocks, as a clause whose
// subject is the launch; or nothing. The arrays of both, the block size and the trace's sites must have been
// checked.
std::optional<std::string> faultOfEvents(const BlockTrace& block, const LaunchTrace& launch,
                                         const Trace& trace);

}  // namespace stridescope::model
