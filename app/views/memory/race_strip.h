// A race as a figure above the Shared memory panel's map: the first access, the element, the second access,
// and that nothing orders the two.
#pragma once

#include "views/shared/trouble_marks.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

inline constexpr float kRaceStripHeight = 58;  // units

// Whether the strip's texts fit that width. Requires a race.
bool raceStripFits(const ViewContext& view, const TroubleMarks& marks, float width);

// Draws into [min, max), and finds the race's element under the pointer. Requires a race.
void drawRaceStrip(ViewContext& view, ImDrawList& list, const TroubleMarks& marks, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
