// Integer overflow, told where it happens: a sum or product that does not fit its type wraps.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "in thread 0 the sum wraps: exact 2 147 483 652, wrapped to -2 147 483 644 in 32 bits". If there are
// several such threads, the clause names the lowest, and how many there are. Empty: no result of the round or
// pass wraps, or the trace does not tell.
std::string wrapClause(const RoundAt& at);

// Whether what the block has made by the end of the round is not the exact value: what wrapped in its rounds
// does not cancel, or the block alone makes the run's result and that is wrapped. False where rounds of
// several passes hide it.
bool hasWrapped(const RoundAt& at);

}  // namespace stridescope::narration
