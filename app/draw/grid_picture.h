// A grid of cells as bytes: what a view hands over to be painted, and what its tests read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "imgui.h"

namespace stridescope::draw {

// How one kind of cell looks in a grid: never by its colour alone.

struct CellStyle {
  ImU32 fill = 0;            // 0: nothing is filled
  ImU32 mark = 0;            // the colour of whichever marks are set
  bool hatch = false;        // diagonal lines: inactive, in a warp that works
  bool lineThrough = false;  // a line through the row, gaps included: in an idle warp
  bool cross = false;        // both diagonals: the thread has finished
  bool notch = false;        // the upper right corner is cut off: some lanes active, some not
  int outline = 0;           // drawn round its inside, units: operand B 2, rounds to come 1; never over 1 in
                             // cells narrower than 20

  bool operator==(const CellStyle&) const = default;
};

struct GridPicture {
  std::string_view name;      // the map's, for tests: "lanes"
  int columns = 0, rows = 0;  // columns * rows <= kMaxCells
  std::span<const std::uint8_t>
      cells;                          // columns * rows, row by row from the top; each an index into `styles`
  std::span<const CellStyle> styles;  // at most 256; a cell that names none of them is left blank
  std::optional<int> gapPx = {};      // between cells; without it grid_picture.h's rule
};

// What every OpenGL 3.3 can hold in one texture (1024 x 1024).
inline constexpr int kMaxCells = 1024 * 1024;

// The styles of a map of amounts: a cell of 0 is `nothing` (Palette::dead), 1 ... 255 are Viridis from 1/255
// to 1.
std::array<CellStyle, 256> amountStyles(ImU32 nothing);

// Where the cells of a row lie when their edges are whole pixels: an element may be 2 or 3 pixels wide.
// The grid's shader uses the same integers, so what is drawn over a grid lines up with it.

// The first pixel of cell `index` (0 ... count) when `count` cells share `lengthPx` pixels: index * lengthPx
// / count to the nearest, half down. cellEdge(count, ...) is lengthPx. count >= 1, lengthPx >= 0; count *
// lengthPx < 2^30.
int cellEdge(int index, int count, int lengthPx);

// The cell that holds pixel `px` (0 ... lengthPx - 1); clamped to 0 ... count - 1 outside.
int cellAt(int px, int count, int lengthPx);

// The gap after each cell: none below 2 pixels, 1 below 9, else 2; times `scale`, in whole pixels.
int cellGap(float cellPx, float scale);

// Every row or column has its label, or every second, every fourth ...: the distance between two is always
// the same.
int labelStep(float cell, float label, int cells);

// Pixels that labels at whole pixels may come closer than `label` says.
constexpr float kLabelRounding = 2;

}  // namespace stridescope::draw
