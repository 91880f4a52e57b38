// The bar above the panels: what is run, and what executes it.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws into [min, max] of the current window. Fields that do not fit are left out from the right; the chip
// that says what executes always stands.
void drawExperimentBar(ViewContext& view, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
