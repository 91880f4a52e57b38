// What the lanes of one warp know of each other: which of a lane's accesses are ordered before what another
// lane does now. Only warp barriers order lanes of a warp between two block barriers; shuffles, votes and
// reductions pass values in registers and order no memory.
//
// A warp's time is counted in phases: each of its warp barriers, whichever lanes take part, ends one.
#pragma once

#include <array>
#include <cstdint>

#include "analysis/lane_mask.h"

namespace stridescope::analysis {

class WarpClock {
 public:
  std::uint32_t phase() const { return phase_; }

  // The lanes of the mask meet at a warp barrier: what each of them, or a lane that it knew of, did up to
  // here is ordered before what any of them does next.
  void meet(std::uint32_t lanes);

  // Lanes of `lanes`, other than `lane`, whose accesses in the given phase are not ordered before what `lane`
  // does now.
  std::uint32_t unordered(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const {
    lanes &= ~bitOf(lane);
    if (lanes == 0 || phase < seenOfAll_[lane]) return 0;
    return unorderedOneByOne(lanes, phase, lane);
  }

 private:
  std::uint32_t unorderedOneByOne(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const;

  using PhasePerLane = std::array<std::uint32_t, model::kWarpSize>;
  // seen_[a][b]: accesses of lane b in phases before this one are ordered before what lane a does now.
  std::array<PhasePerLane, model::kWarpSize> seen_{};
  PhasePerLane seenOfAll_{};  // the least over all other lanes
  std::uint32_t phase_ = 0;
};

}  // namespace stridescope::analysis
