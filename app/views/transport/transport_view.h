// What stands below the panels: the transport and the caption.
#pragma once

#include "views/shared/view_context.h"
#include "views/transport/steady_size.h"

namespace stridescope::views {

// Draws into [min, max] of the current window.
void drawTransport(ViewContext& view, ImVec2 min, ImVec2 max);

// Play or pause alone, from `min` on. Returns where it ends, pixels.
float drawPlayButton(ViewContext& view, ImDrawList& list, ImVec2 min);

// The caption: the round in sentences, and what the hovered thread did.

inline constexpr float kHoverLineHeight = 26;  // units: a line of what is hovered

// How a caption lies in its room.
struct CaptionRoom {
  int hoverLines = 1;  // at its foot, for what is hovered; none: it is told above the caption
  // The caption keeps its size and all of its room, and gives no hint of what to do: what is hovered is told
  // at the foot where the text leaves it, else above. Null: each round has the largest size that fits.
  SteadySize* steady = nullptr;
};

// Draws into [min, max] of the current window. A long caption takes the room for what is hovered, too: that
// is then told above it.
void drawCaption(ViewContext& view, ImVec2 min, ImVec2 max, const CaptionRoom& room = {});

}  // namespace stridescope::views
