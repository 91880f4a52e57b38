// The scrub bar of the transport: a tick a round, all launches after one another.
#pragma once

#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

// Where the ticks stand along a bar, with a gap between launches. Pure.
struct ScrubTick {
  session::Playhead at;
  float x = 0;  // pixels from the bar's left end
};
struct ScrubBoundary {
  float x = 0;
  unsigned launch = 0;  // the one that begins behind it
};
struct ScrubScale {
  std::vector<ScrubTick> ticks;  // ascending; never empty
  std::vector<ScrubBoundary> boundaries;

  std::size_t nearest(float x) const;
};
// `rounds`: of each launch, at least 1 in all. The gaps give way to a quarter of the width at most.
ScrubScale layOutScrubBar(const std::vector<unsigned>& rounds, float width, float gap);

void drawScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
