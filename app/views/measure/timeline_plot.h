// The picture of the Timeline panel: bars, axes, the heads above them, and what answers to the pointer.
#pragma once

#include <memory>
#include <optional>

#include "session/run_timeline.h"
#include "views/measure/grid_bars.h"
#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

// What a person did in the panel.
struct TimelineState {
  std::shared_ptr<const session::MarkedGrid> grid;  // that the rest is about
  bool oneRow = false;
  std::size_t row = 0;  // the multiprocessor that is shown alone
  ZoomAndPan moved{};   // columns are nanoseconds
  GridBars bars{};
};

// In [min, max] of the current window, pixels; `state.grid` is not null.
void drawTimelinePlot(ViewContext& view, ImVec2 min, ImVec2 max, TimelineState& state);

}  // namespace stridescope::views
