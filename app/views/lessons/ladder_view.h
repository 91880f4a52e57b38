// Ladder: the variants in teaching order, family by family, each with what changed from the one before and
// with what it costs.
#pragma once

#include <string>

#include "views/chrome/view_context.h"
#include "views/lessons/ladder_times.h"

namespace stridescope::views {

inline constexpr const char* kLadderPanel = "Ladder";

struct LadderState {
  std::string scrolledTo;  // the variant that was last brought into view
  int framesToSettle = 0;  // a scroll is clamped to the content of the frame before
};
void drawLadder(ViewContext& view, LadderState& state, const LadderTimes& times);

}  // namespace stridescope::views
