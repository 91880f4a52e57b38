// Ladder: the variants in teaching order, each with what changed from the one before.
#pragma once

#include "views/view_context.h"

namespace stridescope {

inline constexpr const char* kLadderPanel = "Ladder";
void drawLadder(ViewContext& view);

}  // namespace stridescope
