// Where the panels stand in each mode of the window that has dock layouts.
#pragma once

#include <span>
#include <vector>

#include "shell/default_layout.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// The mode's layouts, as shell::defaultLayouts() has them, for a window of so many units. A mode that has no
// layouts of its own has those of the mode whose panels it offers.
std::vector<shell::NamedLayout> modeLayouts(session::Mode mode, float width, float height,
                                            std::span<const Panel> panels);

}  // namespace stridescope::views
