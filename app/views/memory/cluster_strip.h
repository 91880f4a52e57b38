// Above the Shared memory panel's map, where the launch has clusters: the blocks of the shown block's cluster
// side by side, and as arrows what the shown block loads from and stores into their shared memory in the
// round.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trace.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Between the shown block and another one of its cluster, both by their places in it, from 0.
struct RemoteArrow {
  std::uint64_t from = 0, to = 0;  // the way of the elements
  bool isLoad = false;             // the shown block loads them; else it stores them
  friend bool operator==(const RemoteArrow&, const RemoteArrow&) = default;
};

// What the shown block does in the round, whose acts without events are `others` (analysis::Round::others),
// in clusters of `size` blocks; each arrow once, in order. Pure. Requires size > 0.
std::vector<RemoteArrow> remoteArrows(const model::LaunchTrace& launch,
                                      const std::vector<std::uint32_t>& others, unsigned size);

// Whether the shown launch has clusters.
bool showsClusterStrip(const session::Replay& replay);
inline constexpr float kClusterStripHeight = 54;  // units
// Draws into [min, max), whose label stands to the left of `labelRight`.
void drawClusterStrip(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, float labelRight);

}  // namespace stridescope::views
