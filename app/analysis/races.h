// Data races: two accesses of different threads to the same memory, at least one of them a write, not both
// atomic, that nothing orders. Found by a vector clock per lane, from the block's own accesses:
//
// - A block barrier orders everything before it against everything after it.
// - A warp barrier orders the lanes of its mask.
// - Shuffles, votes, reductions and atomics order nothing. Nor does it count that lanes of a warp may run in
// lockstep.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope {

// At most one race for each pair of sites in each round, in order of the second access. Needs the rounds'
// operations and ends.
std::vector<Race> findRaces(const LaunchTrace& launch, const std::vector<Round>& rounds);

}  // namespace stridescope
