// Elements of the input that never reach a block's result.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/data_flow.h"

namespace stridescope::analysis {

// In the order of the rounds; of values that hold the same elements the one of the most. Follows which
// elements each value was made from, over rounds of one pass that combine in memory: of a launch with
// exchanges between lanes, with rounds of several passes or with races nothing is found. `flow` has one entry
// a round.
std::vector<LostValue> findLostValues(const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow);

}  // namespace stridescope::analysis
