// The Why panel: what the time of the shown variant is made of, and what changed from the one before.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel whyPanel();

}  // namespace stridescope::views
