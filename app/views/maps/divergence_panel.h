// Lane utilization: warps x rounds, coloured by the number of active lanes; below it the divergent branches
// in the source.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel divergencePanel();

}  // namespace stridescope::views
