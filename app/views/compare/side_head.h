// The head of a side's column: left or right, the variant, and where the run stands. A click chooses the
// side.
#pragma once

#include "analysis/sides.h"
#include "views/compare/compare_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// `view` is the side's.
void drawSideHead(ViewContext& view, analysis::Side side, const Box& box);

}  // namespace stridescope::views
