// Who takes part in a round.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Fills in lanes, activeLanes, activeWarps and partialWarps of all rounds of a launch. Needs their
// operations. A thread that has no events left counts as having returned.
void findLaneStates(const model::LaunchTrace& launch, std::vector<Round>& rounds);

// The same for one pass of a round: who has returned by the end of the round has returned. `pass` has its
// operations.
void findLaneStatesOfPass(const model::LaunchTrace& launch, const Round& round, Round& pass);

// Branch and loop operations whose lanes diverged, as the source has it.
unsigned countDivergentBranches(const Round& round);

}  // namespace stridescope::analysis
