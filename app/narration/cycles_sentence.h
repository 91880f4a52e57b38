// What a round cost in cycles of the SM's clock, in words.
#pragma once

#include <string>

#include "analysis/round_cycles.h"

namespace stridescope::narration {

// "158 cycles alone, 231 in a full grid, recorded on NVIDIA H100 80GB HBM3." Medians; empty: nothing is known
// of the round.
std::string cyclesSentence(const analysis::LaunchCycles& cycles, std::size_t round,
                           const std::string& device);

}  // namespace stridescope::narration
