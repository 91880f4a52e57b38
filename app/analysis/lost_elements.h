// Elements of the input that never reach a block's result.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/data_flow.h"

namespace stridescope::analysis {

// In the order of the rounds; where values hold the same elements, the one that holds the most stands for
// them. Follows which elements each value was made from, over rounds of one pass that combine in memory: in a
// launch with exchanges between lanes, with rounds of several passes or with races nothing is found. `flow`
// has one entry per round.
std::vector<LostValue> findLostValues(const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow);

}  // namespace stridescope::analysis
