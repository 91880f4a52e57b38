// How a person's own kernel is launched, as its launch file says it: fields of the bar, and a form for the
// arguments. Both write the launch file.
#pragma once

#include <memory>
#include <vector>

#include "views/forms/experiment_bar.h"
#include "views/frame/overlays.h"
#include "views/transport/compare_bar.h"

namespace stridescope::views {

// The kernel if the text has several, grid, block, shared memory, arguments. They refer to the view. Empty
// where the launch file cannot be read.
std::vector<BarField> kernelBarFields(ViewContext& view);

// The form. `appearing`: this is its first frame; `width`: its sentences' and fields', pixels.
void drawLaunchForm(ViewContext& view, OverlayState& state, float width, bool appearing);

// The form that asks where a copy of the shown variant is to be.
void drawCopyVariant(ViewContext& view, OverlayState& state, float width, bool appearing);

}  // namespace stridescope::views
