// Shared memory after each round.
//
// - Round ended by a block barrier: the copy that was taken there. Where there is none, as the barrier never
//   completed: replayed.
// - Round ended by warp barriers or shuffles: what the round before left, with the words on it that lanes
//   copied at this round's warp barriers. Copied if there are such words, else carried.
// - The round after the last block barrier: replayed from its stores.
//
// A byte is known if it has ever been written by then, and if what the snapshot holds for it is from after
// that.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Fills in the snapshots of all rounds of a launch. Needs their operations and ends.
void findSnapshots(const model::LaunchTrace& launch, std::vector<Round>& rounds);

}  // namespace stridescope::analysis
