// Who takes part in a round, whose results matter, and what the lanes of a warp pass to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"

namespace stridescope::analysis {

// Who takes part in a round.

// Fills in lanes, activeLanes, activeWarps and partialWarps of all rounds of a launch. Needs their
// operations. A thread that has no events left counts as having returned.
void findLaneStates(const model::LaunchTrace& launch, std::vector<Round>& rounds);

// The same for one pass of a round: who has returned by the end of the round has returned. `pass` has its
// operations.
void findLaneStatesOfPass(const model::LaunchTrace& launch, const Round& round, Round& pass);

// Branch and loop operations whose lanes diverged, as the source has it.
unsigned countDivergentBranches(const Round& round);

// Which of a round's active lanes matter to the result. The results of the others are unused.

enum class LaneUse : std::uint8_t {
  Used,      // its result is used; also if the trace does not tell
  Unused,    // nobody uses its result
  Identity,  // its result is made of identities alone
};

// One per thread. It means something only for active lanes that shuffle, or that combine elements in memory;
// all others are Used.
std::vector<LaneUse> laneUses(const Round& round, const RoundFlow& flow);

// Active lanes by their use.
struct LaneCounts {
  unsigned used = 0, unused = 0, identity = 0;
  unsigned active() const { return used + unused + identity; }
  unsigned ofElements() const { return used + unused; }
};
// Counts the threads from `first` on, `count` of them at most.
LaneCounts countLanes(const Round& round, const std::vector<LaneUse>& uses, std::size_t first = 0,
                      std::size_t count = ~std::size_t{0});

// Fills in RoundFlow::registerGivesIdentity and registerIdentity. A lane brings the identity into the first
// exchange behind a block barrier if that is what it gives and it loaded no element since the barrier, though
// other lanes of the block did. An exchange of lanes that hold nothing else leaves identities.
void findIdentities(const model::Trace& trace, const model::LaunchTrace& launch,
                    const std::vector<Round>& rounds, std::vector<RoundFlow>& flow);

// What the lanes of a warp pass to each other in a round, and what each holds afterwards.
//
// A lane's register after the round is the last value that it assigned before it did anything else. Where no
// assignments were recorded, it is what the lane gives to its next shuffle or warp reduction, if it reads no
// memory and passes no block barrier before. Else it is what the kernels do with what they receive, and
// replayed: a reduction's or a vote's result, what __shfl_sync fetched, or combine(given, received) after the
// other shuffles. Nothing is replayed with a person's own operator; there the lane's next store tells it.

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
