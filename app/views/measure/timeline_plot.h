// The picture of the Timeline panel: bars, axes, the heads above them, and what answers to the pointer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/grid_timeline.h"
#include "lab/measured.h"
#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

// The pictures of a grid's blocks in time, as cells of bytes: all multiprocessors, or one with its slots.
// Made again only when what they show changes. Pure, but for what it remembers.

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

// What a person did in the panel.
struct TimelineState {
  std::shared_ptr<const lab::MarkedGrid> grid;  // that the rest is about
  bool oneRow = false;
  std::size_t row = 0;  // the multiprocessor that is shown alone
  ZoomAndPan moved{};   // columns are nanoseconds
  GridBars bars{};
};

// In [min, max] of the current window, pixels; `state.grid` is not null.
void drawTimelinePlot(ViewContext& view, ImVec2 min, ImVec2 max, TimelineState& state);

}  // namespace stridescope::views
