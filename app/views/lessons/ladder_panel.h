// Ladder: the variants in teaching order, family by family, each with what changed from the one before and
// with what it costs.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel ladderPanel();

}  // namespace stridescope::views
