// The chip that says what executes: live on a GPU, on the CPU executor, or from a recording. It opens the
// list of what else could, whatever runs meanwhile.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

float engineChipWidth(const ViewContext& view);  // pixels
void drawEngineChip(ViewContext& view, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
