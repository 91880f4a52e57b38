// The picture of a reduction's blocks in characters.
#pragma once

#include <string>

#include "analysis/grid_timeline.h"

namespace stridescope::narration {

// Rows of some multiprocessors each, time to the right over the whole run: tenths of the places that are
// filled on average, '.' none, then 1 to 9 and '#' for all. Below it the launches and the gaps, with their
// times. Lines end with a newline and keep within kTextColumns.
std::string timelineMap(const analysis::GridTimeline& timeline);

}  // namespace stridescope::narration
