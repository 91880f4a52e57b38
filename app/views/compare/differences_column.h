// The middle column: what differs between two runs, which side is better and by how much; at the foot, dim,
// what is the same.
#pragma once

#include "narration/compared_figures.h"
#include "views/compare/compare_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

inline constexpr const char* kDifferencesWindow = "What differs";

// `hasKeys`: the arrows scroll it.
void drawDifferences(ViewContext& view, const narration::ComparedTable& table, const Box& box, bool hasKeys);

}  // namespace stridescope::views
