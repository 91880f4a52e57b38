// What a round leaves in device memory, as a part of a sentence.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "thread 0 writes 1105 to out[0], the sum of this block". Where the launch has a race or a problem, or the
// run came to a wrong result: "the result of this block". Empty if nothing is written.
std::string writeClause(const RoundAt& at);

}  // namespace stridescope::narration
