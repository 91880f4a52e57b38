// Masks of a warp's lanes: bit i stands for lane i.
#pragma once

#include <bit>
#include <cstdint>

#include "model/trace.h"

namespace stridescope::analysis {

constexpr std::uint32_t bitOf(unsigned lane) { return 1u << lane; }
constexpr bool contains(std::uint32_t mask, unsigned lane) { return (mask >> lane & 1) != 0; }

// Requires a mask that is not empty.
constexpr unsigned lowestLane(std::uint32_t mask) {
  return unsigned(std::countr_zero(mask)) % model::kWarpSize;
}

// The first `count` lanes; from 32 on, all.
constexpr std::uint32_t lanesBelow(std::size_t count) {
  return count >= model::kWarpSize ? ~0u : (1u << count) - 1;
}

// Calls visit(lane) for each lane of the mask, lowest first.
template <class Visit>
constexpr void forEachLane(std::uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(lowestLane(mask));
}

}  // namespace stridescope::analysis
