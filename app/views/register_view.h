// The Shared memory panel in a round in which lanes pass values to each other: a row of 32 lanes for each
// warp, and of one warp what each lane gave, the arrows between lanes and what each holds afterwards. Lanes
// whose value is still needed are strong, those that merely execute are not.
#pragma once

#include <string>

#include "views/view_context.h"

namespace stridescope {

// True if the shown round is such a round.
bool showsRegisters(const Session& session);

// Draws into [min, max).
void drawRegisters(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

// For the panel's title line: "warp 0 of 8 · 16 of 32 values still needed · recorded".
std::string registerNote(const ViewContext& view);

}  // namespace stridescope
