// The pictures of a grid's blocks in time, as cells of bytes: all multiprocessors, or one with its slots.
// Made again only when what they show changes. Pure, but for what it remembers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/grid_timeline.h"

namespace stridescope::views {

// What a picture shows.
struct BarsShown {
  std::shared_ptr<const analysis::GridTimeline> timeline;  // not null
  analysis::TimeSpan span{};
  std::optional<std::size_t> row{};      // one multiprocessor's; nullopt: all have a row
  std::size_t columns = 1, maxRows = 1;  // pixels
  std::uint32_t launch = 0;              // whose block `block` is inspected
  std::uint64_t block = 0;
  friend bool operator==(const BarsShown&, const BarsShown&) = default;
};

// The cells of one multiprocessor: its slots from the top, a row each.
enum class BarCell : std::uint8_t { Nothing, Even, Odd, Inspected };  // blocks alternate between Even and Odd

class GridBars {
 public:
  // The picture, rows() x shown.columns. For all multiprocessors it has a row for each or, if there are fewer
  // pixels, for several of them, and a cell is the share of places that are filled, as in
  // analysis::residencyPicture. For one multiprocessor a cell is a BarCell.
  const std::vector<std::uint8_t>& cells(const BarsShown& shown);
  std::size_t rows() const { return rows_; }
  std::size_t drawn() const { return drawn_; }  // how often a picture was made

 private:
  std::optional<BarsShown> shown_;
  std::vector<std::uint8_t> cells_;
  std::size_t rows_ = 0, drawn_ = 0;
};

}  // namespace stridescope::views
