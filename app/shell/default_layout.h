// Where the Explore mode's panels stand before a person moves them.
#pragma once

#include <string>

#include "shell/docking.h"

namespace stridescope::shell {

// Heights above and below the dock space, in units.
inline constexpr float kTopBarHeight = 80;      // menu and experiment bar
inline constexpr float kTransportHeight = 138;  // caption and transport

// Below this width, in units, panels share places as tabs.
inline constexpr float kWideLayoutWidth = 1400;
// Below this one all but Shared memory share one place, and below that room's height Shared memory joins
// them.
inline constexpr float kNarrowLayoutWidth = 1000;
inline constexpr float kLeastStackedHeight = 480;

struct NamedLayout {
  std::string name;
  DockLayout layout;
};

// For a window of `width` x `height` units. The widths of the wide one are 200 | 840 | 528 at 1600 x 1000,
// its heights 392 over 364; a larger window gives the rest to Shared memory and Source.
NamedLayout defaultLayout(float width, float height);

}  // namespace stridescope::shell
