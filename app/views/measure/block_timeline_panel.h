// Block timeline: a row for each warp, cycles to the right; where the warp works and where it waits at a
// barrier, round after round. One block alone, or the same block in a full grid.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel blockTimelinePanel();

}  // namespace stridescope::views
