// The scrub bar of two runs that are compared: a tick for each place, named by both sides' rounds.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// Requires view.comparison.
void drawComparedScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
