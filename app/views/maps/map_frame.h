// The labels round a map: columns above, rows at the left. What remains is for the grid.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "draw/grid_picture.h"
#include "draw/panel.h"
#include "views/shared/map_bytes.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct MapFrame {
  ImVec2 gridMin, gridMax;
  int columns = 1, rows = 1;

  ImVec2 cellMin(int column, int row) const;
  ImVec2 cellMax(int column, int row) const;
  // The cell under a point that is relative to gridMin; clamped into the grid.
  int columnAt(float x) const;
  int rowAt(float y) const;
};

struct MapLabels {
  // Empty text: no label there. Labels that would run into their neighbour are left out.
  std::function<std::string(int)> column, row;
  int strongColumn = -1, strongRow = -1;  // the current one, in text colour and bold
  std::string widestRow;                  // decides the room at the left
};

inline constexpr float kAxisHeight = 18;  // units, the column labels above a grid

// Lays rows x columns into [min, max): rows at most `mostRowHeight` units high, or as high as its columns are
// wide, or where these are narrow several times that.
MapFrame layOutMap(const ViewContext& view, ImVec2 min, ImVec2 max, int columns, int rows,
                   float mostRowHeight, const std::string& widestRow);
// What columns are called that are numbered from 0 on.
std::function<std::string(int)> numberedColumns(const ViewContext& view, const MapFrame& frame);
// A grid, or a strip of labels beside it, that answers to the pointer and to the arrow keys; `hovered` is the
// cell of what is hovered in the window.
struct MapCell {
  int column = 0, row = 0;
  friend bool operator==(const MapCell&, const MapCell&) = default;
};
HitArea gridArea(ViewContext& view, const char* label, const MapFrame& frame,
                 std::optional<MapCell> hovered = std::nullopt);
// The labels W0, W1, ... at the left of a map of warps; `left` is where they begin.
HitArea warpLabelArea(ViewContext& view, const MapFrame& frame, float left);
// They answer to the pointer: they find the warp.
void pointAtWarpLabels(ViewContext& view, const MapFrame& frame, float left);
void drawMapLabels(ViewContext& view, ImDrawList& list, const MapFrame& frame, const MapLabels& labels);

// The legend under a map of lanes: one line, whatever width there is. Each item is a box, how many there are
// and what it stands for; words are shortened, and then left out, before anything would be cut. Whoever rests
// the pointer on an item reads all of its words.

struct LineLegendItem {
  unsigned count = 0;
  const char* words = "";  // "inactive, in a working warp": also what the explanations know it by
  const char* brief = "";  // "inactive"
  bool stays = false;      // though there is none
  std::function<void(ImVec2 min, ImVec2 max)> drawBox = {};
};

enum class LegendWording : std::uint8_t { Words, Brief, BriefOfThoseThere, Figures };

// The first wording with which the line fits into `width`: `widthOf` gives the width of the line. Pure.
LegendWording wordingFor(float width, const std::function<float(LegendWording)>& widthOf);

// Units; the gap is above it.
inline constexpr float kLineLegendHeight = 22, kLegendBox = 12, kLegendGap = 8;

// A map of lanes: a row for each warp with its label, the lanes' numbers above, and below it room for a
// legend of one line, where there is that room.
struct LaneMap {
  MapFrame frame;
  bool hasLegend = false;
  ImVec2 legendMin;
};
// Fills the panel. `name` is the grid's; the warp of `strongThread` has a strong label.
LaneMap drawLaneMap(ViewContext& view, const draw::Panel& panel, std::string_view name, const MapBytes& bytes,
                    std::span<const draw::CellStyle> styles, float mostRowHeight,
                    std::optional<unsigned> strongThread);
HitArea laneMapArea(ViewContext& view, const MapFrame& frame);

// Draws the legend from `min` on, in a line that ends at `right`.
void drawLineLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right,
                    std::span<const LineLegendItem> items);

}  // namespace stridescope::views
