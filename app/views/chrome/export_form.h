// The form that hands out what is shown: as what, of what, and where.
#pragma once

#include "views/chrome/overlays.h"

namespace stridescope::views {

// `windowSize`: whose pictures are asked for, pixels.
void drawExport(ViewContext& view, OverlayState& state, float width, bool appearing, ImVec2 windowSize);

}  // namespace stridescope::views
