// What shared and device memory did in a round and why, as parts of a sentence: in small letters, without a
// full stop.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "each load and the store take 8 wavefronts instead of 1, an 8-way bank conflict"; ", no conflict" where
// there was none. Empty if the round made no request whose wavefronts are known. A cost is told for each warp
// where all warps paid the same, else as a sum over the requests.
std::string wavefrontsClause(const RoundAt& at);

// The same for loads and stores in device memory: "each load touches 4 sectors, the minimum (fully
// coalesced)", "each load touches 8 sectors instead of 4". Empty if there are none.
std::string sectorsClause(const RoundAt& at);

// With the reason in front, one that tells of no conflict by itself included: "because active lanes are 16
// words apart, 16 lanes of load A hit only banks 0 and 16: each load and the store take 8 wavefronts
// instead of 1, an 8-way bank conflict".
std::string bankClause(const RoundAt& at);
bool hasConflict(const RoundAt& at);
// Only where there was a conflict, else empty.
std::string conflictClause(const RoundAt& at);
// With the reason where there was a conflict, else without.
std::string costClause(const RoundAt& at);
std::string sectorClause(const RoundAt& at);

}  // namespace stridescope::narration
