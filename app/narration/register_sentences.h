// Rounds in which lanes pass values to each other, as sentences.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "Shuffle by 8: each lane of warp 0 adds the register of the lane 8 above it."
std::string shuffleSentence(const RoundAt& at);

// "The values of 8 of its 32 lanes are still needed; the results of the others are unused." Empty if all are,
// or if it is not known.
std::string usefulSentence(const RoundAt& at);

// "One instruction adds the 32 registers of each of 8 warps." Of cg::reduce: "cg::reduce adds ..., and what
// it does inside is not seen."
std::string warpReduceSentence(const RoundAt& at);

}  // namespace stridescope::narration
