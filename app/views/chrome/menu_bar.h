// The menus, drawn from the command table, and the reminder of the most used keys.
#pragma once

#include "views/chrome/view_context.h"

namespace stridescope::views {

// Within a window that has a menu bar.
void drawMenuBar(ViewContext& view);

}  // namespace stridescope::views
