// What kind of step a round is, and what it is called.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

enum class RoundKind : std::uint8_t {
  Load,        // the input, from device memory into shared memory or registers
  Stride,      // operands at one distance, ended by a block barrier; in shared or in device memory
  WarpStride,  // the same, ended by a warp barrier
  Shuffle,
  WarpReduce,  // a warp reduction, without a load
  Read,        // shared memory is read and nothing combined: the results of the warps, a flag
  Write,       // results to device memory
  Other,
};

RoundKind kindOf(const RoundAt& at);

// For a tick of the transport: "load", "8", "write"; "strides" for several strides in one round; "last" and
// "r3" for rounds without a name.
std::string tickOf(const RoundAt& at);

// Opening a sentence: "Stride 8", "Load", "Shuffle by 8", "Write", "Round 3". In a merge: "Element 7 of 256,
// stride 8"; for a pass: "Pass 2 of 8, stride 8".
std::string titleOf(const RoundAt& at);

// Within a sentence: "stride 8", "the load", "the shuffle by 8", "the write", "round 3". In a merge:
// "stride 8 of element 7".
std::string nameInSentence(const RoundAt& at);

}  // namespace stridescope::narration
