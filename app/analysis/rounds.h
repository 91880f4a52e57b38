// Cuts a launch into rounds.
//
// - A block barrier always ends a round.
// - A warp barrier ends one only if its warp has stored to shared memory since the round began: the barrier
//   between reading and writing inside one stride ends none.
// - A shuffle opens a round, which ends before the next shuffle or at the next barrier. Branches alone make
//   no round of their own before it.
// - Between two block barriers each warp has its own rounds. The n-th of one warp is put beside the n-th of
//   the others; a warp that has fewer is idle then. A warp that did nothing before its first shuffle is idle
//   while others load there.
// - After the last block barrier a round follows only if something is accessed or passed between lanes in it.
#pragma once

#include <vector>

#include "analysis/analysis.h"
#include "analysis/warp_operations.h"

namespace stridescope::analysis {

// The rounds with their operations and how they end; nothing else is filled in. A block barrier's operations
// stand in the last round of its interval. Takes from the budget what each round will cost (round_cost.h).
struct CutRounds {
  std::vector<Round> rounds;
  bool cut = false;  // the budget ended: there are more
};
CutRounds cutIntoRounds(const model::LaunchTrace& launch, const std::vector<AlignedWarp>& timelines,
                        MemoryBudget& budget);

}  // namespace stridescope::analysis
