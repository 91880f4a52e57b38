// How well one colour is read on another: WCAG 2.1's contrast ratio.
#pragma once

#include "imgui.h"

namespace stridescope::draw {

// (L1 + 0.05) / (L2 + 0.05), L the relative luminance of the lighter and the darker one: 1 for equal colours,
// 21 for black and white. Opacity is ignored. https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio
double contrastRatio(ImU32 first, ImU32 second);

// Black or white, whichever is read better on `ground`: for a number inside a cell that is coloured by an
// amount. The better of the two is never below 4.5 : 1, and at least 7 : 1 on all of Viridis' ten stops but
// the middle ones.
ImU32 readableOn(ImU32 ground);

}  // namespace stridescope::draw
