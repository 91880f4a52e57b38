// The bar of a variant's time, alike in the Ladder panel and in the ladder tab of Timings.
#pragma once

#include "draw/draw_context.h"
#include "imgui.h"

namespace stridescope::views {

struct RungBar {
  double share = 0;  // a share of the ground; above 1: cut, with a gap that says so
  ImU32 colour = 0;
  bool recorded = false;  // outlined: it was not measured now
};

// From the left of the ground [min, max], which is drawn, too.
void drawRungBar(const draw::DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max,
                 const RungBar& bar);

}  // namespace stridescope::views
