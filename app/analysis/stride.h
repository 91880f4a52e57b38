// The stride of a round: how far apart the two operands are that its lanes combine.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// In elements, or lanes for a shuffle; nullopt if there is none or the active lanes differ.
//
// - A round with a shuffle: the distance |source lane - lane|. Lanes that keep their own value, because their
//   source would lie beyond the warp, do not count.
// - Else, for each active lane, the distinct elements that it loads from one shared array: if two, the
//   distance between them; if one, and it stores one other element of that array, the distance between those
//   (the first operand is in a register).
// - A round without loads from shared memory: the same with one buffer in device memory, if no thread stores
//   more than one element: then it copies, and combines nothing.
//
// Needs the round's operations and lane states.
std::optional<std::uint64_t> findStride(const model::LaunchTrace& launch, const Round& round);

}  // namespace stridescope::analysis
