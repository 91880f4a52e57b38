// What a tree leaves out, and what it leaves for the next round, as parts of a sentence.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// For the round from which on no thread reads a value into the result: "no thread reads data[2] from here on:
// its 114, the sum of 32 elements, is lost". Empty if nothing is lost there.
std::string lostClause(const RoundAt& at);

// For the round that writes the result: "the sum of 32 elements, 114 in data[2], is missing from it". Empty
// if nothing is missing.
std::string missingClause(const RoundAt& at);

// "one value, data[1], has no partner and waits for the next stride": the one value that is still needed and
// that a round in shared memory does not touch. Empty if there is none, or more.
std::string waitingClause(const RoundAt& at);

}  // namespace stridescope::narration
