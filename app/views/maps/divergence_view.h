// Divergence: warps x strides, coloured by the number of active lanes; below it the branches that diverge in
// the source.
#pragma once

#include "views/chrome/view_context.h"

namespace stridescope::views {

inline constexpr const char* kDivergencePanel = "Divergence";
void drawDivergence(ViewContext& view);

}  // namespace stridescope::views
