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

// The layouts of all modes, for a window of so many units.
std::vector<shell::NamedLayout> modeLayouts(float width, float height, std::span<const ModePanel> panels);
// What DockSpace::use() is told: the first group is Explore's.
std::string modeGroup(session::Mode mode);
// The name of the one that suits the mode and the window.
std::string modeLayoutName(session::Mode mode, float width, float height);

}  // namespace stridescope::views
