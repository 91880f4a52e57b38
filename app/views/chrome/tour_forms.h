// The forms for a tour's file: to open one, and to keep a copy of the open one for editing.
#pragma once

#include "views/chrome/overlays.h"

namespace stridescope::views {

// `appearing`: this is its first frame; `width`: its sentences' and fields', pixels.
void drawOpenTour(ViewContext& view, OverlayState& state, float width, bool appearing);
void drawSaveTour(ViewContext& view, OverlayState& state, float width, bool appearing);

}  // namespace stridescope::views
