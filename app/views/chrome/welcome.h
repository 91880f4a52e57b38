// The first start: what this is, and ways in. It stands beside the panels, as a lesson does; nothing waits
// for it.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// `width`: pixels.
void drawWelcome(ViewContext& view, float width);

}  // namespace stridescope::views
