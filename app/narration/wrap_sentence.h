// Integer overflow, told where it happens: a sum or product that does not fit its type wraps.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "In thread 0 the sum wraps: exact 2 147 483 652, wrapped to -2 147 483 644 in 32 bits." Of several threads
// the lowest, and how many there are. Empty: no result of the round or pass wraps, or the trace does not
// tell.
std::string wrapSentence(const RoundAt& at);

// Whether what the block has made by the end of the round is wrapped: in one of its rounds up to this, or
// because the run's result is and this launch's input comes from the launches before.
bool hasWrapped(const RoundAt& at);

}  // namespace stridescope::narration
