// The bar above the panels: what is run, and what executes it.
#pragma once

#include <span>
#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws into [min, max] of the current window. Fields that do not fit are left out; the chip
// that says what executes always stands.
void drawExperimentBar(ViewContext& view, ImVec2 min, ImVec2 max);

// How wide the fields of a bar are, so that each shows its text whole. Pure.

struct FieldRequest {
  float preferred = 0;  // the width it likes to have, pixels
  float least = 0;      // what its text and its label need
  bool givesWayLast = false;
};

// The widths of the fields in `room`, with `gap` between them; 0: it is left out. As many stand as their
// least widths let in; they give way from the right, those that give way last when no other is left. What is
// left over goes to each as it asks for, in equal shares of what it lacks. The first stands in any case, cut
// to the room.
std::vector<float> fieldWidths(std::span<const FieldRequest> requests, float room, float gap);

}  // namespace stridescope::views
