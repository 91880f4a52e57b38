// What a round cost in cycles of the SM's clock, in words.
#pragma once

#include <string>

#include "analysis/round_cycles.h"

namespace stridescope::narration {

// "Recorded: 158 cycles; sequential, with as many active threads, takes 124.": medians with one block alone.
// Without `reference`, which is that of `referenceName`, only the first; empty: nothing is known of the
// round.
std::string recordedCycles(const analysis::Cycles* cycles, const analysis::Cycles* reference,
                           const std::string& referenceName);

// "158 cycles alone, 231 in a full grid, recorded on NVIDIA H100 80GB HBM3." Medians; empty: nothing is known
// of the round.
std::string cyclesSentence(const analysis::LaunchCycles& cycles, std::size_t round,
                           const std::string& device);

}  // namespace stridescope::narration
