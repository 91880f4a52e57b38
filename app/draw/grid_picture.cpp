#include "draw/grid_picture.h"

#include <algorithm>
#include <cmath>

#include "draw/palette.h"
#include "draw/pixel_edges.h"

namespace stridescope::draw {

std::array<CellStyle, 256> amountStyles(ImU32 nothing) {
  std::array<CellStyle, 256> styles{};
  styles[0].fill = nothing;
  for (std::size_t amount = 1; amount < styles.size(); ++amount) {
    styles[amount].fill = viridis(static_cast<float>(amount) / 255.0f);
  }
  return styles;
}

std::uint8_t amountByte(int part, int whole) {
  if (part <= 0 || whole <= 0) return 0;
  const double share = std::min(1.0, static_cast<double>(part) / whole);
  return static_cast<std::uint8_t>(std::max(1l, std::lround(share * 255.0)));
}

std::vector<std::uint8_t> foldToMaxima(std::span<const std::uint8_t> cells, int columns, int rows,
                                       int fewerColumns) {
  std::vector<std::uint8_t> folded(static_cast<std::size_t>(fewerColumns) * static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const int target = cellAt(column, fewerColumns, columns);
      auto& greatest = folded[static_cast<std::size_t>(row) * static_cast<std::size_t>(fewerColumns) +
                              static_cast<std::size_t>(target)];
      greatest = std::max(greatest, cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                                          static_cast<std::size_t>(column)]);
    }
  }
  return folded;
}

}  // namespace stridescope::draw
