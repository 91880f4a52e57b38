// The scrub bar of the transport: a tick a round, all launches after one another.
#pragma once

#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

// Where the ticks stand along a bar, with a gap between launches. Pure.
struct ScrubTick {
  session::Playhead at;  // the round's first pass
  float x = 0;           // pixels from the bar's left end
  unsigned passes = 1;   // of the round
  float span = 0;        // pixels over which its passes stand, if there are several

  float xOf(unsigned pass) const { return x + span * float(pass) / float(passes); }
};
struct ScrubBoundary {
  float x = 0;
  unsigned launch = 0;  // the one that begins behind it
};
struct ScrubScale {
  std::vector<ScrubTick> ticks;  // ascending; never empty
  std::vector<ScrubBoundary> boundaries;

  std::size_t nearest(float x) const;  // round, whose first pass counts
  session::Playhead nearestPass(float x) const;
};
// `passes`: how many each round of each launch has; at least one round in all. A round of several takes up to
// four times the room of others. The gaps give way to a quarter of the width at most.
ScrubScale layOutScrubBar(const std::vector<std::vector<unsigned>>& passes, float width, float gap);

// What a bar of full height on the scrub bar stands for, in cycles.
float cyclesOfFullBar(unsigned threads);

void drawScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
