// A strip under the bar for what a person should know: one sentence, its details to copy, one action that
// helps.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

inline constexpr float kMessageHeight = 44;  // units
// Draws into [min, max] of the current window. Requires view.app.message().
void drawMessageStrip(ViewContext& view, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
