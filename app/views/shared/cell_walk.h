// The cells of the maps in the panel that has the keyboard: the arrow keys go from one to the next, and the
// cell is then pointed at as if the pointer were there; Enter is a click on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "imgui.h"
#include "shell/key_input.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

enum class WalkTo : std::uint8_t { Left, Right, Up, Down };

// A rectangle of the screen, pixels.
struct CellBox {
  ImVec2 min, max;
};

// The place in `cells` of the cell next to the one at `from`. Left and right stay in its row. Up and down go
// to the nearest row, there to the cell above or below it or, where there is none, to the one nearest to
// that. nullopt: there is no cell in that direction.
std::optional<std::size_t> nextCell(std::span<const CellBox> cells, std::size_t from, WalkTo to);

class CellWalk {
 public:
  // Each frame, before the panel is drawn. A pointer that moves or presses ends the walk.
  void begin();
  // Then goes on from where the walk stood, over the cells of the last frame. It begins with a step from what
  // is hovered, else at the first cell of the largest area.
  void take(shell::KeyInput& keys);
  void forget();  // another panel has the keyboard, or none

  // Whether the panel had cells in the last frame. A panel without cells has controls instead.
  bool hasCells() const { return !std::ranges::all_of(cells_, &Cell::isControl); }

  // It stands at a cell, since the pointer last moved: what is pointed at is pointed at by the keys.
  bool isWalking() const { return place_.has_value(); }

  // While the panel is drawn: cells of Dear ImGui's last item, an area that begins at `origin`. `hovered`:
  // the cell is what is hovered in the window, so a walk may begin there.
  void add(ImVec2 origin, CellBox cell, bool hovered = false);
  // The same for a tab or a list beside them: a walk comes to it from a cell, and begins at none.
  void addControl(CellBox control);

  // What the keys did in this frame in the area of Dear ImGui's last item.
  struct Answer {
    ImVec2 pointer;  // from its origin
    bool clicked = false;
  };
  std::optional<Answer> answer() const;

  // After the panel: the ring round the cell where the walk stands.
  void drawRing(const draw::DrawContext& context) const;

 private:
  struct Cell {
    ImGuiID area = 0;
    ImVec2 origin;
    CellBox box;
    ImDrawList* list = nullptr;
    ImVec2 clipMin, clipMax;
    bool hovered = false, isControl = false;
  };
  struct Place {
    ImGuiID area = 0;
    ImVec2 fromOrigin;  // the middle of its cell
  };
  std::optional<std::size_t> cellAt(const Place& place) const;
  std::optional<std::size_t> startCell() const;
  std::size_t firstCell() const;  // the first in the largest area, the panel's main map
  void step(WalkTo to);
  void standAt(const Cell& cell);

  std::vector<Cell> cells_, coming_;
  std::optional<Place> place_;
  bool moved_ = false, entered_ = false;
};

// A part of a map that answers to the pointer and, while its panel has the keyboard, to a walk over its
// cells: `addCells` gives them to add().
using AddCell = std::function<void(CellBox cell, bool hovered)>;
HitArea walkArea(ViewContext& view, const char* label, ImVec2 min, ImVec2 max,
                 const std::function<void(const AddCell&)>& addCells);
// It is one cell.
HitArea walkArea(ViewContext& view, const char* label, ImVec2 min, ImVec2 max);

// Dear ImGui's last item, a control beside maps: Enter on it is what a click on it is.
void walkControl(ViewContext& view, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
