// The scrub bar of the transport: a tick a round, all launches after one another.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

void drawScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
