// What a run came to, set against a plain loop.
#pragma once

#include <string>

#include "twin/round_at.h"

namespace stridescope {

// "equal", "equal within the bound", "the order decides" (a value that is not finite), "DIFFERENT", or "no
// result".
std::string verdictOf(const Trace& trace);

// Whether the round is the last one of the last launch, which leaves the result.
bool endsTheRun(const RoundAt& at);

// "The result is 32640, as a plain loop's." Then the check's note, where floating rounding shows.
std::string resultSentence(const Trace& trace);

}  // namespace stridescope
