// The register of panels.
#pragma once

#include <vector>

#include "views/shared/panel.h"

namespace stridescope::views {

// All panels, each with a state of its own, in the order in which menus list them.
std::vector<Panel> allPanels();

}  // namespace stridescope::views
