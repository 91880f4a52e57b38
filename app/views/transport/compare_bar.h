// The bars of the window while two runs are compared: their commands, their fields, and a scrub bar for both.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The commands of two runs that are compared.

std::vector<CommandEntry> compareEntries();

// The fields of the bar while two runs are compared: each side's variant, how the sides are locked, for which
// of them the rest is set, and the rest.

struct BarField {
  std::string label;
  float width = 0;            // units, where there is room
  std::string shown;          // its value
  std::string borrowed = {};  // what was chosen, where another stands in its place (ExperimentField::chosen)
  std::function<void()> entries;  // draws its list's entries, while that is open
  bool isTyped = false;           // ExperimentField::isTyped
  bool givesWayLast = false;      // ExperimentField::givesWayLast
};

// Requires view.comparison. The fields refer to the view.
std::vector<BarField> comparedBarFields(ViewContext& view);

// The scrub bar of two runs that are compared: a tick for each place, named by both sides' rounds.

// Requires view.comparison.
void drawComparedScrubBar(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
