// Banks: one request of one warp as a punch card of lanes x 32 banks, split into wavefronts; below it banks x
// strides. Of a launch that works in device memory alone the sectors take the banks' place: lanes x sectors,
// and below them warps x strides, coloured by sectors.
#pragma once

#include "views/chrome/view_context.h"

namespace stridescope::views {

inline constexpr const char* kBanksPanel = "Banks";
void drawBanks(ViewContext& view);

}  // namespace stridescope::views
