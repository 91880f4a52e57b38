// The menus, drawn from the command table, and the reminder of the most used keys.
#pragma once

#include "views/chrome/command_table.h"

namespace stridescope::views {

// Within a window that has a menu bar.
void drawMenuBar(ViewContext& view, std::span<const CommandEntry> table);

}  // namespace stridescope::views
