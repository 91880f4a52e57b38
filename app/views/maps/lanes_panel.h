// Lanes: one row per warp, 32 cells; which threads of the block are active in the current round.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel lanesPanel();

}  // namespace stridescope::views
