// What runs now, and the button that cancels it. They stand in the row of the menus, where nothing is to be
// clicked otherwise, so that no control turns into another one under the pointer.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

struct JobLineState {
  double since = -1;  // when the job began that runs now, seconds of Dear ImGui's clock; below 0: none does
};

// Between two x of the menu bar that is being drawn, at its right end; without room for both the button
// alone. False: nothing runs, or not for long enough to be told.
bool drawJobLine(ViewContext& view, JobLineState& state, float left, float right);

}  // namespace stridescope::views
