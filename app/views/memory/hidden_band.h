// The current round of the Shared memory panel while it is hidden: what memory, or the registers of a warp,
// hold before it, and nothing of what becomes of that.
#pragma once

#include <string>

#include "views/memory/shared_memory_scene.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

// Whether the round passes values by shuffles.
bool hidesRegisters(const session::Replay& replay);

// Draws the band from `top` on and takes the pointer. Requires view.predict.isHidden(). Gives a note for the
// panel's title line; empty: all cells are in view.
std::string drawHiddenBand(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                           const BandHeights& heights, float top, ZoomAndPan& moved);

}  // namespace stridescope::views
