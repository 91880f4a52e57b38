// What a round brings from device memory and leaves there, and where integers wrap, as parts of a sentence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// What a load brings from device memory, as a part of a sentence.

// "256 threads copy one element each into shared memory", "36 of 64 threads add 16 elements each in
// registers, in loads of 16 bytes".
std::string loadClause(const RoundAt& at);

// How many elements each thread loads from device memory in the round; nullopt if not all the same, or none.
std::optional<std::uint64_t> elementsLoadedEach(const RoundAt& at);

// What a round leaves in device memory, as a part of a sentence.

// "thread 0 writes 1105 to out[0], the sum of this block". Where the launch has a race or a problem, or the
// run came to a wrong result: "the result of this block". Empty if nothing is written.
std::string writeClause(const RoundAt& at);

// Integer overflow, told where it happens: a sum or product that does not fit its type wraps.

// "in thread 0 the sum wraps: exact 2 147 483 652, wrapped to -2 147 483 644 in 32 bits". If there are
// several such threads, the clause names the lowest, and how many there are. Empty: no result of the round or
// pass wraps, or the trace does not tell.
std::string wrapClause(const RoundAt& at);

// Whether what the block has made by the end of the round is not the exact value: what wrapped in its rounds
// does not cancel, or the block alone makes the run's result and that is wrapped. False where rounds of
// several passes hide it.
bool hasWrapped(const RoundAt& at);

}  // namespace stridescope::narration
