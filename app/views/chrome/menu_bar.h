// The menus, drawn from the command table, and beside them what runs, or else the reminder of the most used
// keys.
#pragma once

#include "views/chrome/command_table.h"
#include "views/chrome/job_line.h"

namespace stridescope::views {

// Within a window that has a menu bar.
void drawMenuBar(ViewContext& view, std::span<const CommandEntry> table, JobLineState& job);

}  // namespace stridescope::views
