// Where panels stand before a person moves them. Which panels there are, the caller says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shell/docking.h"

namespace stridescope::shell {

// Heights above and below the dock space, in units.
inline constexpr float kTopBarHeight = 80;      // menu and experiment bar
inline constexpr float kTransportHeight = 138;  // caption and transport

// Below this width, in units, panels share places as tabs.
inline constexpr float kWideLayoutWidth = 1400;
// Below this one all but the centre's share one place under the centre's; where the room is lower than that,
// at its side; and where it is narrower, too, all share one place.
inline constexpr float kNarrowLayoutWidth = 1010;
inline constexpr float kMinStackedHeight = 480;
inline constexpr float kMinTwoPlacesWidth = 845;

// A wide window has three columns: left, centre with a row of panels below it, and right with a place below
// it. Panels of one region share its place as tabs, but for those of Below, which stand side by side while
// there is room. A region without a panel leaves its room to its neighbours.
enum class Region : std::uint8_t { Left, Centre, Below, Right, RightBelow };

struct PanelPlace {
  Region region = Region::Below;
  float width = 300;  // units in a window of 1600 x 1000, for Below; other panels have their region's
};

struct PlacedPanel {
  std::string name;  // its window's
  PanelPlace place;
};

// The columns of the wide layout at 1600 x 1000, units; the centre has the rest.
struct ColumnWidths {
  float left = 200, right = 528;
};

// All that there are, for a window of `width` x `height` units. The columns of the wide one are
// 200 | 840 | 528 at 1600 x 1000, the centre's heights 392 over 364; a larger window gives the rest to
// Centre, and later to Right, too. The narrow one's are 176 | 636 | 436 at 1280 x 720; a wider window gives
// the rest to Right. Within a region the panels keep their order.
std::vector<NamedLayout> defaultLayouts(float width, float height, std::span<const PlacedPanel> panels,
                                        const ColumnWidths& columns = {});
// The name of the one that suits the window.
std::string defaultLayoutName(float width, float height);

}  // namespace stridescope::shell
