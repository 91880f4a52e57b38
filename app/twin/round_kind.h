// What kind of step a round is, and what it is called.
#pragma once

#include <string>

#include "twin/round_at.h"

namespace stridescope {

enum class RoundKind : std::uint8_t {
  Load,        // device memory into shared memory, nothing read there
  Stride,      // operands at one distance, ended by a block barrier
  WarpStride,  // the same, ended by a warp barrier
  Shuffle,
  Write,  // results to device memory, nothing read from it
  Other,
};

RoundKind kindOf(const RoundAt& at);

// For a tick of the transport: "load", "8", "write"; "r3" for a round without a name.
std::string tickOf(const RoundAt& at);

// Opening a sentence: "Stride 8", "Load", "Shuffle by 8", "Write", "Round 3".
std::string titleOf(const RoundAt& at);

// Within a sentence: "stride 8", "the load", "the shuffle by 8", "the write", "round 3".
std::string nameInSentence(const RoundAt& at);

}  // namespace stridescope
