// Above the Shared memory panel's map, in a round that has to do with it: the blocks of the launch in the
// order in which they came to where their results are joined, which of them the shown threads read or wait
// for, and a list that chooses another order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/arrivals.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// A block in the order.
struct ArrivalCell {
  std::size_t place = 0;  // in the order, from 0
  std::uint64_t block = 0;
  std::vector<std::uint32_t> readers{};  // threads of the recorded block
  bool isOwn = false;                    // the recorded block
  bool isToCome = false;                 // it comes after the recorded block, which does not wait for it
  friend bool operator==(const ArrivalCell&, const ArrivalCell&) = default;
};

// At most `most` of them, neighbours in the order: from the first on or, where `held` is farther back, those
// around it. Pure.
std::vector<ArrivalCell> arrivalCells(const model::LaunchTrace& launch,
                                      const analysis::RoundArrivals& arrivals, std::size_t most,
                                      std::optional<std::size_t> held);

// What the shown round, or its pass, has to do with the order of arrival; nothing while the round is hidden.
// Requires view.replay.run().
std::optional<analysis::RoundArrivals> shownArrivals(const ViewContext& view);

inline constexpr float kArrivalStripHeight = 62;  // units

// Draws into [min, max), whose labels stand to the left of `labelRight`.
void drawArrivalStrip(ViewContext& view, ImDrawList& list, const analysis::RoundArrivals& arrivals,
                      ImVec2 min, ImVec2 max, float labelRight);

}  // namespace stridescope::views
