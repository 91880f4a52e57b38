// The labels of a plot's lines at its right: mark, value, name. A click hides or shows the line.
#pragma once

#include <string>
#include <vector>

#include "views/measure/timings_look.h"

namespace stridescope::views {

inline constexpr float kNoHeight = 1e9f;  // a line's without a value: below all others

enum class LegendUnit { Time, Rate };

struct LegendEntry {
  const TimingLine* line = nullptr;
  std::string value;         // with its unit: at the cursor, else the last
  float height = kNoHeight;  // where the line ends, pixels of the screen; may lie outside of the plot
};

struct LegendRoom {
  float width = 0;                      // pixels, for the labels
  float valueWidth = 0;                 // the part of it for the values
  NameLength names = NameLength::Full;  // as long as the plot keeps the greater part
};
LegendRoom legendRoom(const ViewContext& view, float available, LegendUnit unit);

// Beside their lines' ends where they fit below one another, else a list that scrolls. A line that a person
// hides keeps its place, greyed; those that are hidden from the first come last. Notes in `state` which label
// the pointer is on.
void drawLegend(ViewContext& view, TimingsState& state, const LegendRoom& room,
                std::vector<LegendEntry> entries, ImVec2 min, ImVec2 max);

// The upper edges of labels of `line` pixels each that shall stand round `middles` (ascending), pushed apart
// and kept within [top, bottom], which has room for all.
std::vector<float> pushedApart(const std::vector<float>& middles, float line, float top, float bottom);

}  // namespace stridescope::views
