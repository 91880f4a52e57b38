// The lines of one side's kernel that differ from the other's, row beside row with those of the other side;
// what executes in the round is marked.
#pragma once

#include "analysis/source_difference.h"
#include "views/compare/compare_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Units: for all rows, with the title.
float sourceDifferencesHeight(const analysis::SourceDifference& difference);

// `firstRow` is the first that is shown, on both sides; the wheel changes it. Returns true if the whole text
// is asked for.
bool drawSourceDifferences(ViewContext& view, const analysis::SourceDifference& difference,
                           analysis::Side side, const Box& box, float& firstRow);

}  // namespace stridescope::views
