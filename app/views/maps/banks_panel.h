// Banks: one request of one warp as a punch card of lanes x 32 banks, split into wavefronts; below it banks x
// strides. If the launch works in device memory alone, the sectors take the banks' place: lanes x sectors,
// and below them warps x strides, coloured by sectors.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel banksPanel();

}  // namespace stridescope::views
