// The Timings panel: what each variant costs, live from this machine, and recorded from real GPUs.
#pragma once

#include "views/chrome/view_context.h"
#include "views/measure/timings_state.h"

namespace stridescope::views {

inline constexpr const char* kTimingsPanel = "Timings";

// Takes in what was timed since the frame before; before anything that draws it.
void refreshTimings(const session::Workspace& workspace, const session::Measurements& measurements,
                    TimingsState& state);

void drawTimings(ViewContext& view, TimingsState& state);

}  // namespace stridescope::views
