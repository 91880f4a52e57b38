// The fields of the bar while two runs are compared: each side's variant, how the sides are locked, for which
// of them the rest is set, and the rest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

struct BarField {
  std::string label;
  float width = 0;            // units, where there is room
  std::string shown;          // its value
  std::string borrowed = {};  // what was chosen, where another stands in its place (ExperimentField::chosen)
  std::function<void()> entries;  // draws its list's entries, while that is open
  bool isTyped = false;           // ExperimentField::isTyped
};

// Requires view.comparison. The fields refer to the view.
std::vector<BarField> comparedBarFields(ViewContext& view);

}  // namespace stridescope::views
