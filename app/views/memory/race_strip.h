// A race as a figure above the Shared memory panel's map: the first access, the element, the second access,
// and that nothing orders the two.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "narration/round_at.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

inline constexpr float kRaceStripHeight = 58;  // units

// Whether the strip's texts fit that width. Requires a race.
bool raceStripFits(const ViewContext& view, const TroubleMarks& marks, float width);

// Draws into [min, max), and finds the race's element under the pointer. Requires a race.
void drawRaceStrip(ViewContext& view, ImDrawList& list, const TroubleMarks& marks, ImVec2 min, ImVec2 max);

// A merge's output as a row that grows: the values written so far, from which list each came, and the element
// that the round serves.

struct MergedCell {
  std::uint64_t element = 0;  // the output's, from 0
  bool current = false;       // the round serves it
  bool written = false;       // up to the end of the round
  std::string value, list;    // printed; empty if not written
};

// Around the element that the round serves: at most `most` cells, as many of them earlier ones as there are,
// the rest to come. Pure. Empty in a round that serves no element.
std::vector<MergedCell> mergedCells(const narration::RoundAt& at, std::size_t most);

// Where such a row stands: from `left` to `right`, its label to the left of `labelRight`.
struct MergedPlace {
  float left = 0, right = 0, labelRight = 0, top = 0;
};
inline constexpr float kMergedRowHeight = 48;  // units
void drawMergedRow(ViewContext& view, ImDrawList& list, const MergedPlace& place);

}  // namespace stridescope::views
