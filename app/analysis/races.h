// Data races: two accesses of different threads to the same memory, at least one of them a write, not both
// atomic, that nothing orders. Found by a vector clock per lane, from the block's own accesses:
//
// - A block barrier orders everything before it against everything after it.
// - A warp barrier orders the lanes of its mask.
// - Shuffles, votes, reductions and atomics order nothing. Nor does it count that lanes of a warp may run in
// lockstep.
#pragma once

#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "base/memory_limits.h"

namespace stridescope::analysis {

struct RaceSearch {
  // At most one for each pair of sites in each round, in order of the second access.
  std::vector<Race> races;
  // The round in which the search ended early: what it has to remember did not fit into the budget, or it
  // would have taken minutes.
  std::optional<std::uint32_t> endedIn;
};

// Needs the rounds' operations and ends. Takes nothing of the budget: what it remembers is forgotten at the
// end.
RaceSearch findRaces(const model::LaunchTrace& launch, const std::vector<Round>& rounds,
                     const MemoryBudget& budget);

}  // namespace stridescope::analysis
