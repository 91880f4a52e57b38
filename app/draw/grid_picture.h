// A grid of cells as bytes: what a view hands over to be painted, and what its tests read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "draw/cell_style.h"

namespace stridescope::draw {

struct GridPicture {
  std::string_view name;      // the map's, for tests: "lanes"
  int columns = 0, rows = 0;  // columns * rows <= kMaxCells
  std::span<const std::uint8_t>
      cells;                          // columns * rows, row by row from the top; each an index into `styles`
  std::span<const CellStyle> styles;  // at most 256; a cell that names none of them is left blank
  std::optional<int> gapPx = {};      // between cells; without it pixel_edges.h's rule
};

// What every OpenGL 3.3 can hold in one texture (1024 x 1024). Larger maps are folded first.
inline constexpr int kMaxCells = 1024 * 1024;

// The styles of a map of amounts: a cell of 0 is `nothing` (Palette::dead), 1 ... 255 are Viridis from 1/255
// to 1.
std::array<CellStyle, 256> amountStyles(ImU32 nothing);

// The byte of `part` out of `whole` for amountStyles: 0 only when part is 0. whole >= 1; part is clamped.
std::uint8_t amountByte(int part, int whole);

// A map with fewer columns: each holds the greatest of those it stands for. For maps whose cells would be
// narrower than a pixel. `fewerColumns` in 1 ... columns; cells.size() == columns * rows.
std::vector<std::uint8_t> foldToMaxima(std::span<const std::uint8_t> cells, int columns, int rows,
                                       int fewerColumns);

}  // namespace stridescope::draw
