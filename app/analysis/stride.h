// The stride of a round: how far apart the two operands are that its lanes combine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Elements of shared arrays that the block never writes, though it writes some behind them, are padding:
// free words that keep a column's elements in different banks. Distances are counted without them.
class SharedPadding {
 public:
  // Needs the snapshots of the launch's rounds.
  SharedPadding(const model::LaunchTrace& launch, const std::vector<Round>& rounds);

  // The number of an element that the block writes among those that it does.
  std::uint64_t withoutPadding(std::uint32_t array, std::uint64_t element) const {
    const std::vector<std::uint32_t>& numbers = numbers_[array];
    if (element < numbers.size()) return numbers[element];
    return numbers.empty() ? element : numbers.back() + 1 + (element - numbers.size());
  }

 private:
  std::vector<std::vector<std::uint32_t>> numbers_;  // one entry per array; empty: it has no padding
};

// In elements without padding, or lanes for a shuffle; nullopt if there is none or the active lanes differ.
//
// - A round with a shuffle: the distance |source lane - lane|. Lanes that keep their own value, because their
//   source would lie beyond the warp, do not count.
// - Else, for each active lane, the distinct elements that it loads from one shared array: if two, the
//   distance between them; if one, and it stores one other element of that array, the distance between those
//   (the first operand is in a register).
// - A round without loads from shared memory: the same with one buffer in device memory, if no thread stores
//   more than one element: then it copies, and combines nothing.
//
// Needs the round's operations and lane states. `padding` is this launch's.
std::optional<std::uint64_t> findStride(const model::LaunchTrace& launch, const SharedPadding& padding,
                                        const Round& round);

}  // namespace stridescope::analysis
