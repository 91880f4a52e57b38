// The Timings panel: what each variant costs, live from this machine, and recorded from real GPUs.
#pragma once

#include "views/view_context.h"

namespace stridescope {

inline constexpr const char* kTimingsPanel = "Timings";

struct TimingsState {};

void drawTimings(ViewContext& view, TimingsState& state);

}  // namespace stridescope
