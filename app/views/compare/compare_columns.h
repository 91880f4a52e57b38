// What stands in the columns of the Compare mode: the heads of the sides, the lines that differ, and the
// middle.
#pragma once

#include "analysis/compared_sides.h"
#include "narration/compared.h"
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

// The middle column: what differs between two runs, which side is better and by how much; at the foot, dim,
// what is the same.

inline constexpr const char* kDifferencesWindow = "What differs";

// `hasKeys`: the arrows scroll it.
void drawDifferences(ViewContext& view, const narration::ComparedTable& table, const Box& box, bool hasKeys);

}  // namespace stridescope::views
