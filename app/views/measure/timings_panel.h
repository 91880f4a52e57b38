// The Timings panel: what each variant costs, live from this machine, and recorded from real GPUs.
#pragma once

#include <memory>

#include "views/measure/timings_state.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// With a state of the caller's, what the panel shows can be chosen from outside.
Panel timingsPanel(std::shared_ptr<TimingsState> state = std::make_shared<TimingsState>());

}  // namespace stridescope::views
