// The Counters panel: what the hardware counted of the shown launch, beside what the model says.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel countersPanel();

}  // namespace stridescope::views
