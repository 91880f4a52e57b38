// What a round costs in memory, once everything is derived from it.
#pragma once

#include <cstdint>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Bytes, rounded up: the round with its operations, lanes, snapshot and exchanges, and its data flow
// (data_flow.h). Needs the round's operations alone.
std::uint64_t costOf(const model::LaunchTrace& launch, const Round& round);

}  // namespace stridescope::analysis
