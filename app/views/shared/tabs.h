// Tabs in a panel's title line.
#pragma once

#include <span>
#include <string>

#include "draw/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// Units; other tabs look the same.
inline constexpr float kTabHeight = 24, kTabPadding = 8, kBetweenTabs = 2;

struct Choice {
  std::string label{};  // no two of a panel are the same
  std::string text{};   // what it stands for, if that is to be told: code
  std::string where{};  // and where that is: "line 20"
};

// Draws the labels after the panel's title, the chosen one raised with a line under it; text and place of
// each are its tooltip. Returns the index of a tab that was clicked, else -1. `underline` is the colour that
// the choice stands for. `end` gets the tabs' right edge, pixels.
int drawTabs(ViewContext& view, const draw::Panel& panel, std::span<const Choice> choices, int chosen,
             ImU32 underline, float& end);

// Whether all tabs fit in the title line, whichever of them is chosen.
bool tabsFit(const ViewContext& view, const draw::Panel& panel, std::span<const Choice> choices);

// The same choices, of which there is one at least, as a list that drops down, where tabs do not fit. It is
// as wide as its longest entry but does not go beyond the title line; a text that does not fit is a tooltip.
// `name` is its label for keyboard focus and for tests.
int drawChoiceList(ViewContext& view, const draw::Panel& panel, const char* name,
                   std::span<const Choice> choices, int chosen, ImU32 underline);

}  // namespace stridescope::views
