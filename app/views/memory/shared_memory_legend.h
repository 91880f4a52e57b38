// The legend under the Shared memory panel's map: an entry for what the map shows, and none for what it does
// not.
#pragma once

#include "views/memory/shared_memory_scene.h"

namespace stridescope::views {

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
