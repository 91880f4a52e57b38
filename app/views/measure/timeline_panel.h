// The Timeline panel: every block of the reduction in time, a row for each multiprocessor, all launches and
// the gaps between them; or one multiprocessor with its slots.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel timelinePanel();

}  // namespace stridescope::views
