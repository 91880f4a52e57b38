// A map of amounts by round: a row per round, a column per bank or warp, and at the right what the round
// cost. Pointing at a cell finds its column, at the rest of a row its round; a click goes to the round.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "draw/cell_style.h"
#include "views/shared/map_bytes.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct StridesMap {
  std::string name;  // names the grid, and what answers to the pointer: "banks by round"
  std::string head;  // above the map
  MapBytes bytes;    // a row for each round of `range`
  RoundRange range;
  std::span<const draw::CellStyle> styles;  // by amount
  session::HoverKind column{};              // what a column is: HoverKind::Bank or ::Warp

  // Above the columns, with the amounts in the cells where they fit; nullptr: neither, because the columns
  // are those of the map above.
  std::function<std::string(int column)> columnLabel;
  std::function<bool(int column)> isLit;
  std::vector<std::string> costs;  // one for each row
  float costWidth = 0;             // units
};

// How much of a panel it takes, pixels.
float heightOf(const ViewContext& view, const StridesMap& map);

// Draws it inside [min, max), heightOf high.
void drawStridesMap(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, const StridesMap& map);

}  // namespace stridescope::views
