// Where the cells of a row lie when their edges are whole pixels: an element may be 2 or 3 pixels wide.
// The grid's shader uses the same integers, so what is drawn over a grid lines up with it.
#pragma once

#include "imgui.h"

namespace stridescope::draw {

// The first pixel of cell `index` (0 ... count) when `count` cells share `lengthPx` pixels: index * lengthPx
// / count to the nearest, half down. cellEdge(count, ...) is lengthPx. count >= 1, lengthPx >= 0; count *
// lengthPx < 2^30.
int cellEdge(int index, int count, int lengthPx);

// The cell that holds pixel `px` (0 ... lengthPx - 1); clamped to 0 ... count - 1 outside.
int cellAt(int px, int count, int lengthPx);

// The gap after each cell: none below 2 pixels, 1 below 9, else 2; times `scale`, in whole pixels.
int cellGap(float cellPx, float scale);

struct CellRect {
  ImVec2 min, max;
};

// The rectangle of one cell of a grid of columns x rows drawn over [min, max), its gap left out. Coordinates
// are whole pixels when min and max are.
CellRect cellRect(ImVec2 min, ImVec2 max, int columns, int rows, int column, int row, ImVec2 gap);

}  // namespace stridescope::draw
