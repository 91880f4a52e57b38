// The Machine code panel: the kernel as the GPU executes it, tied to the lines of its text.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel machineCodePanel();

}  // namespace stridescope::views
