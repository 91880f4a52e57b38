// Lanes: a row a warp, 32 cells; which threads of the block are active in the current round.
#pragma once

#include "views/chrome/view_context.h"

namespace stridescope::views {

inline constexpr const char* kLanesPanel = "Lanes";
void drawLanes(ViewContext& view);

}  // namespace stridescope::views
