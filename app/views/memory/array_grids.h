// The Shared memory panel's arrays as grids (array_grid_layout.h): what the round read and stored in each
// cell, and what each holds after it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "views/memory/array_grid_layout.h"
#include "views/memory/array_grid_scene.h"
#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

// Whether the launch that is shown has arrays with more than one row of numbers to show: of several
// dimensions, of structs, or several of them. Only a person's own kernel has.
bool hasArrayGrids(const session::Replay& replay);

// By byte of all shared arrays, one after another: whether a thread of the launch accesses it. Requires
// replay.run().
std::vector<bool> accessedBytes(const session::Replay& replay);

// Draws into [min, max] and takes the pointer, which also changes `moved`. Gives notes for the panel's title
// line, the longest first. `accessed` is the launch's, and `carved` what carvedArrays() gives.
std::vector<std::string> drawArrayGrids(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max,
                                        const std::vector<bool>& accessed, const CarvedArrays& carved,
                                        ZoomAndPan& moved);

}  // namespace stridescope::views
