// Where the panels stand in each mode of the window.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "session/mode.h"
#include "shell/default_layout.h"

namespace stridescope::views {

struct ModePanel {
  std::string id;
  shell::PlacedPanel placed;  // in Explore
};

// The mode's layouts, as shell::defaultLayouts() has them, for a window of so many units.
std::vector<shell::NamedLayout> modeLayouts(session::Mode mode, float width, float height,
                                            std::span<const ModePanel> panels);
// What DockSpace::use() is told: the first group is Explore's.
std::string modeGroup(session::Mode mode);

}  // namespace stridescope::views
