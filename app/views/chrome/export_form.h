// The form that exports what is shown. It asks for the format, for what to export, and for the place.
#pragma once

#include "views/chrome/overlays.h"

namespace stridescope::views {

// `windowSize`: whose pictures are asked for, pixels.
void drawExport(ViewContext& view, OverlayState& state, float width, bool appearing, ImVec2 windowSize);

}  // namespace stridescope::views
