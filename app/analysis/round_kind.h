// What the threads of a round do, by the arrays of the element type that they read and write.
#pragma once

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Requires the round's operations. Counters, flags and lists' numbers do not count. A round with several
// kinds of work is Mixed, one with none that counts too.
RoundKind findKind(const model::LaunchTrace& launch, const Round& round);

}  // namespace stridescope::analysis
