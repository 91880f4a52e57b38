// The modes of the window: as commands, and as tabs at the right of the menu bar.
#pragma once

#include <vector>

#include "views/shared/command_entry.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The View menu's entries for the modes. Empty if the window has only one mode.
std::vector<CommandEntry> modeEntries();

// Draws the tabs within [left, right) of the menu bar, pixels; draws nothing if there is no room for all, or
// only one mode. Returns where they begin, with the gap before them; without tabs `right`.
float drawModeTabs(ViewContext& view, float left, float right);

}  // namespace stridescope::views
