// How the Shared memory panel's height is spent.
#pragma once

#include "views/memory/shared_memory_scene.h"

namespace stridescope::views {

inline constexpr float kMemoryAxisHeight = 18, kMemoryOverviewHeight = 10, kMemoryGap = 8;  // units

// How many earlier and later rounds get a row.
struct RowCounts {
  unsigned past = 0, toCome = 0;
};

// What the panel's height is spent on.
struct MemoryPlan {
  RowCounts rows;
  float rowHeight = kMemoryRowHeight;  // units
  BandHeights heights;
  bool overview = false, wedge = false, legend = false;
};

// Rows get what the fixed parts leave; earlier rounds bring an axis, and a wedge where the band shows a part
// of the last of them. In a low panel the lines give the legend some of their height, then the legend goes,
// then more of the lines. What is left over makes the band higher, by as much in each round, and then the
// rows.
MemoryPlan planOf(const ViewContext& view, const MemoryScene& scene, float height);

}  // namespace stridescope::views
