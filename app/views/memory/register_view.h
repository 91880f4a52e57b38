// The Shared memory panel in a round in which lanes pass values to each other: a row of 32 lanes for each
// warp, and of one warp what each lane gave, the arrows between lanes and what each holds afterwards. Lanes
// whose value is still needed are strong, those whose result is unused are not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

// True if the shown round is such a round.
bool showsRegisters(const session::Replay& replay);

// Draws into [min, max). Where the values of all lanes do not fit, some lanes have the room for theirs, among
// them those of `heldThread`; a thread that is hovered in another panel, or pinned, is held. Gives notes for
// the panel's title line, the longest first: "warp 0 of 8 · recorded · 4 of 32 lanes in view".
std::vector<std::string> drawRegisters(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max,
                                       ZoomAndPan& moved, std::optional<unsigned>& heldThread);

}  // namespace stridescope::views
