// The caption: the round in sentences, and what the hovered thread did.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws into [min, max] of the current window.
void drawCaption(ViewContext& view, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
