// Transport: first, back, play, forward, last, speed, and the scrub bar with a tick a round.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws into [min, max] of the current window.
void drawTransport(ViewContext& view, ImVec2 min, ImVec2 max);

// Play or pause alone, from `min` on. Returns where it ends, pixels.
float drawPlayButton(ViewContext& view, ImDrawList& list, ImVec2 min);

}  // namespace stridescope::views
