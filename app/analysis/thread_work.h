// The operands and the result of each thread in each round.
#pragma once

#include <vector>

#include "analysis/data_flow.h"

namespace stridescope::analysis {

// One entry a round, with `work` filled in but for its usefulness.
std::vector<RoundFlow> gatherThreadWork(const model::Trace& trace, const model::LaunchTrace& launch,
                                        const std::vector<Round>& rounds);

// The element that an access begins at.
std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch);

}  // namespace stridescope::analysis
