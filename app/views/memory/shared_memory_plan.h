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

// The legend under the Shared memory panel's map: an entry for what the map shows, and none for what it does
// not.

struct LegendItem {
  enum class Mark : std::uint8_t { Fill, Outline, Struck, Dashes, Disc, Ring, None };
  std::string text;
  Mark mark = Mark::Fill;
  ImU32 colour = 0;
  ImU32 ground = 0;  // under an outline; 0: none
};

// `past` and `toCome`: whether such rows are drawn.
std::vector<LegendItem> legendOf(const ViewContext& view, const MemoryScene& scene, bool past, bool toCome);

// One line from `min`; entries that do not fit are left out, the last first.
void drawMemoryLegend(ViewContext& view, ImDrawList& list, const std::vector<LegendItem>& items, ImVec2 min,
                      float right);
inline constexpr float kMemoryLegendHeight = 24;  // units

}  // namespace stridescope::views
