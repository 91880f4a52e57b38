#include "views/measure/grid_bars.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

constexpr std::size_t kWideBar = 4;  // pixels from which on a bar has a gap before it

// Rows of a picture, several as one: their average, at least 1 where one of them is.
std::vector<std::uint8_t> foldedRows(const std::vector<std::uint8_t>& picture, std::size_t rows,
                                     std::size_t columns, std::size_t fewer) {
  std::vector<std::uint8_t> folded(fewer * columns);
  for (std::size_t row = 0; row < fewer; ++row) {
    const std::size_t first = row * rows / fewer, last = (row + 1) * rows / fewer;
    for (std::size_t column = 0; column < columns; ++column) {
      std::size_t sum = 0;
      for (std::size_t each = first; each < last; ++each) sum += picture[each * columns + column];
      const std::size_t average = (sum + (last - first) / 2) / (last - first);
      folded[row * columns + column] = std::uint8_t(sum > 0 ? std::max<std::size_t>(1, average) : 0);
    }
  }
  return folded;
}

std::vector<std::uint8_t> slotsOf(const BarsShown& shown) {
  const analysis::GridTimeline& timeline = *shown.timeline;
  std::vector<std::uint8_t> cells(std::size_t(timeline.slots) * shown.columns);
  std::vector<bool> odd(timeline.slots);
  const double columnsPerNs = double(shown.columns) / double(std::max<std::uint64_t>(1, shown.span.length()));
  const auto columnOf = [&](std::uint64_t time) {
    const double column = (double(time) - double(shown.span.begin)) * columnsPerNs;
    return std::size_t(std::clamp(std::round(column), 0.0, double(shown.columns)));
  };
  for (const std::uint32_t index : timeline.rows[*shown.row].bars) {
    const analysis::BlockBar& bar = timeline.bars[index];
    odd[bar.slot] = !odd[bar.slot];
    if (bar.time.end < shown.span.begin || bar.time.begin >= shown.span.end) continue;
    std::size_t from = columnOf(bar.time.begin), to = columnOf(bar.time.end);
    if (from == shown.columns) continue;
    to = std::max(to, from + 1);
    if (to - from >= kWideBar && bar.time.begin > shown.span.begin) ++from;
    const bool inspected = bar.launch == shown.launch && bar.block == shown.block;
    const BarCell cell = inspected ? BarCell::Inspected : odd[bar.slot] ? BarCell::Odd : BarCell::Even;
    std::fill_n(cells.begin() + std::ptrdiff_t(bar.slot * shown.columns + from), to - from,
                std::uint8_t(cell));
  }
  return cells;
}

}  // namespace

const std::vector<std::uint8_t>& GridBars::cells(const BarsShown& shown) {
  if (shown_ == shown) return cells_;
  shown_ = shown;
  ++drawn_;
  if (shown.row) {
    rows_ = std::max(1u, shown.timeline->slots);
    cells_ = slotsOf(shown);
    cells_.resize(rows_ * shown.columns);
    return cells_;
  }
  const std::size_t rows = shown.timeline->rows.size();
  cells_ = analysis::residencyPicture(*shown.timeline, shown.span, shown.columns);
  rows_ = std::clamp<std::size_t>(shown.maxRows, 1, rows);
  if (rows_ < rows) cells_ = foldedRows(cells_, rows, shown.columns, rows_);
  return cells_;
}

}  // namespace stridescope::views
