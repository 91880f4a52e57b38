#include "draw/grid_picture.h"

#include <algorithm>
#include <cmath>

#include "draw/draw_context.h"

namespace stridescope::draw {

std::array<CellStyle, 256> amountStyles(ImU32 nothing) {
  std::array<CellStyle, 256> styles{};
  styles[0].fill = nothing;
  for (std::size_t amount = 1; amount < styles.size(); ++amount) {
    styles[amount].fill = viridis(static_cast<float>(amount) / 255.0f);
  }
  return styles;
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

int labelStep(float cell, float label, int cells) {
  int step = 1;
  while (float(step) * cell < label && step < cells) step *= 2;
  return step;
}

}  // namespace stridescope::draw
