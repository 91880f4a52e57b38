// Tabs in a panel's title line.
#pragma once

#include <span>

#include "draw/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws the labels after the panel's title, the chosen one raised with a line under it. Returns the index of
// a tab that was clicked, else -1. `underline` is the colour that the choice stands for. `end`, if given,
// gets the tabs' right edge, pixels.
int drawTabs(ViewContext& view, const draw::Panel& panel, std::span<const char* const> labels, int chosen,
             ImU32 underline, float* end = nullptr);

}  // namespace stridescope::views
