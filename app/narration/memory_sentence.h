// What shared memory did in a round, as one sentence.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "Each load and the store take 8 wavefronts instead of 1: an 8-way bank conflict." Empty if the round made
// no request whose wavefronts are known. A cost is told for each warp where all warps paid the same, else as
// a sum over the requests. `tellNoConflict` appends ": no conflict" where there was none.
std::string memorySentence(const RoundAt& at, bool tellNoConflict);

// The same for loads and stores in device memory: "Each load touches 4 sectors: fully coalesced, the
// minimum.", "Each load touches 8 sectors instead of 4: 128 of 256 bytes moved are not asked for." Empty if
// there are none.
std::string sectorSentence(const RoundAt& at);

}  // namespace stridescope::narration
