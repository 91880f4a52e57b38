#include "draw/grid_picture.h"

#include <algorithm>
#include <cmath>

#include "draw/palette.h"

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

namespace {

constexpr float kNarrowestWithGapPx = 2.0f;
constexpr float kNarrowestWithWideGapPx = 9.0f;

}  // namespace

int cellEdge(int index, int count, int lengthPx) {
  const int cells = std::max(count, 1);
  return (2 * index * lengthPx + cells - 1) / (2 * cells);
}

int cellAt(int px, int count, int lengthPx) {
  const int cells = std::max(count, 1);
  const int length = std::max(lengthPx, 1);
  const int inside = std::clamp(px, 0, length - 1);
  return std::min((2 * inside + 1) * cells / (2 * length), cells - 1);
}

int cellGap(float cellPx, float scale) {
  const float unscaled = cellPx / scale;
  if (unscaled < kNarrowestWithGapPx) return 0;
  const float gap = unscaled < kNarrowestWithWideGapPx ? 1.0f : 2.0f;
  return std::max(1, static_cast<int>(std::lround(gap * scale)));
}

CellRect cellRect(ImVec2 min, ImVec2 max, int columns, int rows, int column, int row, ImVec2 gap) {
  const int width = static_cast<int>(std::lround(max.x - min.x));
  const int height = static_cast<int>(std::lround(max.y - min.y));
  const auto at = [](float origin, int index, int count, int length) {
    return origin + static_cast<float>(cellEdge(index, count, length));
  };
  return {{at(min.x, column, columns, width), at(min.y, row, rows, height)},
          {at(min.x, column + 1, columns, width) - gap.x, at(min.y, row + 1, rows, height) - gap.y}};
}

}  // namespace stridescope::draw
