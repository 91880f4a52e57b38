// What stands below the panels: the transport and the caption.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws into [min, max] of the current window.
void drawTransport(ViewContext& view, ImVec2 min, ImVec2 max);

// Play or pause alone, from `min` on. Returns where it ends, pixels.
float drawPlayButton(ViewContext& view, ImDrawList& list, ImVec2 min);

// The caption: the round in sentences, and what the hovered thread did.

// The size of the letters at which all captions of a run fit their room, so that it does not change from
// round to round.
struct SteadySize {
  const lab::Run* run = nullptr;  // for which it was worked out,
  ImVec2 room;                    // and in which room, pixels
  float size = 0;                 // units
};

// At the foot of the caption what is hovered is told.
struct HoverRoom {
  int lines = 1;                 // none: it is told above the caption
  bool hint = true;              // what to do, while nothing is hovered
  bool yields = false;           // to a long caption, also while something is hovered
  SteadySize* steady = nullptr;  // the caption keeps its size; null: each round has the largest that fits
};

// Draws into [min, max] of the current window. A long caption takes the room for what is hovered, too: that
// is then told above it. Without the hint it does so only while nothing is hovered.
void drawCaption(ViewContext& view, ImVec2 min, ImVec2 max, const HoverRoom& hover = {});

}  // namespace stridescope::views
