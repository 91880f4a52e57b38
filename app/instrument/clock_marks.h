// The clocked text: the kernel as it is, with a mark of the SM's clock at its beginning and its end, on
// arriving at each block barrier and after it, after each warp barrier and before each shuffle
// (clocking/clock.h).
#pragma once

#include "instrument/findings.h"
#include "instrument/variables.h"

namespace stridescope::instrument {

// The kernel as a function for the device, and nothing else.
Edits asDeviceFunction(const Source& source);

// The edits that make the text with marks, which is such a function, too. Functions that mark are given the
// kernel's clock as a parameter more.
Edits findClockMarks(const Source& source, const Statements& statements, const Variables& variables,
                     const std::vector<FoundSite>& sites);

}  // namespace stridescope::instrument
