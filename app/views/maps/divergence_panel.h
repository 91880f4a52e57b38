// Divergence: warps x strides, coloured by the number of active lanes; below it the branches that diverge in
// the source.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel divergencePanel();

}  // namespace stridescope::views
