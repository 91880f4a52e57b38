// The Timings panel: what each variant costs, live from this machine, and recorded from real GPUs.
#pragma once

#include "views/timings_state.h"
#include "views/view_context.h"

namespace stridescope {

inline constexpr const char* kTimingsPanel = "Timings";

void drawTimings(ViewContext& view, TimingsState& state);

}  // namespace stridescope
