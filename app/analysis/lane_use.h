// Which of a round's active lanes matter to the result. The results of the others are unused.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/data_flow.h"

namespace stridescope::analysis {

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

}  // namespace stridescope::analysis
