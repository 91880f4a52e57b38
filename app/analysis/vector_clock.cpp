#include "analysis/vector_clock.h"

#include <algorithm>

#include "analysis/lane_mask.h"

namespace stridescope::analysis {

void WarpClock::meet(std::uint32_t lanes) {
  ++phase_;
  PhasePerLane joined{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    for (std::size_t other = 0; other < model::kWarpSize; ++other)
      joined[other] = std::max(joined[other], seen_[lane][other]);
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) joined[lowestLane(rest)] = phase_;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    seen_[lane] = joined;
    std::uint32_t least = ~0u;
    for (std::size_t other = 0; other < model::kWarpSize; ++other)
      if (other != lane) least = std::min(least, joined[other]);
    seenOfAll_[lane] = least;
  }
}

std::uint32_t WarpClock::unorderedOneByOne(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const {
  std::uint32_t unordered = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto other = lowestLane(rest);
    if (phase >= seen_[lane][other]) unordered |= bitOf(other);
  }
  return unordered;
}

}  // namespace stridescope::analysis
