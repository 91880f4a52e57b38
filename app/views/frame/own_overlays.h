// The overlays for what a person brings along: an operator of their own, numbers of their own.
#pragma once

#include "views/frame/overlays.h"

namespace stridescope::views {

// Two fields, combine and identity, and beside them what came of it: that it is being compiled, tried and
// recorded; what the compiler says; the trial's counter-examples. `appearing`: this is its first frame;
// `width`: its sentences' and fields', pixels.
void drawCustomOperator(ViewContext& view, OverlayState& state, float width, bool appearing);

void drawOwnData(ViewContext& view, OverlayState& state, float width, bool appearing);

// A text that came with a file: where it comes from, all of it, and whether it may be compiled and run. The
// answer that Enter gives is no.
void drawCodeQuestion(ViewContext& view, float width, bool appearing);

}  // namespace stridescope::views
