// The head of a side's column: left or right, the variant, and where the run stands. A click chooses the
// side.
#pragma once

#include "analysis/compared_sides.h"
#include "views/compare/compare_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// `view` is the side's.
void drawSideHead(ViewContext& view, analysis::Side side, const Box& box);

// The lines of one side's kernel that differ from the other's, row beside row with those of the other side;
// what executes in the round is marked.

// Units: for all rows, with the title.
float sourceDifferencesHeight(const analysis::SourceDifference& difference);

// `firstRow` is the first that is shown, on both sides; the wheel changes it. Returns true if the whole text
// is asked for.
bool drawSourceDifferences(ViewContext& view, const analysis::SourceDifference& difference,
                           analysis::Side side, const Box& box, float& firstRow);

}  // namespace stridescope::views
