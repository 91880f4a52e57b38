// Banks: one request of one warp as a punch card of lanes x 32 banks, split into wavefronts; below it banks x
// strides.
#pragma once

#include "views/view_context.h"

namespace stridescope {

inline constexpr const char* kBanksPanel = "Banks";
void drawBanks(ViewContext& view);

}  // namespace stridescope
