// The operands and the result of each thread in each round.
#pragma once

#include <vector>

#include "analysis/data_flow.h"

namespace stridescope::analysis {

// One entry per round, with `work` filled in but for its usefulness.
std::vector<RoundFlow> gatherThreadWork(const model::Trace& trace, const model::LaunchTrace& launch,
                                        const std::vector<Round>& rounds);

// The same for one pass of a round: an entry for each of its threads and stores.
std::vector<ThreadWork> threadWorkOf(const Pass& pass);

// The element that an access begins at.
std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch);

}  // namespace stridescope::analysis
