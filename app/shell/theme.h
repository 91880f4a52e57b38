// Dear ImGui's own widgets in the window's colours and measures.
#pragma once

#include "draw/palette.h"
#include "imgui.h"

namespace stridescope::shell {

// Sets all of `style`: colours of `theme`, measures of metrics.h times `scale` (monitor's scale times text
// size). Anything that was changed in `style` before is lost.
void applyTheme(ImGuiStyle& style, draw::Theme theme, float scale);

// Registers Okabe and Ito's colours with the current ImPlot context and makes plots look like the
// rest.
void applyPlotTheme(draw::Theme theme, float scale);

// The colour map that applyPlotTheme registers and makes the default: orange first, no black.
inline constexpr const char* kCategoriesColormap = "Okabe-Ito";

}  // namespace stridescope::shell
