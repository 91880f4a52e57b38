// What the lanes of a warp pass to each other in a round, and what each holds afterwards.
//
// A lane's register after the round is the last value that it assigned before it did anything else. Where no
// assignments were recorded, it is what the lane gives to its next shuffle or warp reduction, if it reads no
// memory and passes no block barrier before. Else it is what the kernels do with what they receive, and
// replayed: a reduction's or a vote's result, what __shfl_sync fetched, or combine(given, received) after the
// other shuffles. Nothing is replayed with a person's own operator; there the lane's next store tells it.
#pragma once

#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Fills in the exchanges of the rounds. Needs their operations.
void findExchanges(const model::Trace& trace, const model::LaunchTrace& launch, std::vector<Round>& rounds);

// Whether the lane took the value as it is: __shfl_sync does, the shuffles that reductions are made of do
// not.
bool fetches(const LaneExchange& exchange, const model::Trace& trace);

// Threads whose value after the round is recorded, and those for which it was replayed.
struct RegisterOrigins {
  unsigned recorded = 0, replayed = 0;
};
RegisterOrigins originsOf(const Round& round);

}  // namespace stridescope::analysis
