// Where Present has its panels, the caption and the transport.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

inline constexpr float kPresenterGap = 5, kPresenterInset = 10;  // units
inline constexpr int kHoverLines = 2;

// What decides the layout of a window beside its size.
struct PresentedState {
  bool hasMessage = false;
  bool isSwapped = false;  // the map is the large panel
  bool isNarrow = false;   // the map's panel is content with less of the width
};
inline constexpr unsigned kPresentedStates = 8;
// Each number below kPresentedStates gives another one.
constexpr PresentedState presentedState(unsigned number) {
  return {.hasMessage = (number & 4) != 0, .isSwapped = (number & 2) != 0, .isNarrow = (number & 1) != 0};
}

// Pixels, without the message strip above and the transport below.
struct PresentedLayout {
  bool hasOnePanel = false;  // the large one: there is no room for both
  bool isLow = false;        // the window is, so that the caption is
  ImVec2 largeMin{}, largeMax{}, smallMin{}, smallMax{}, captionMin{}, captionMax{};
  ImVec2 textMin{}, textMax{};  // of the caption
  int hoverLines() const { return isLow ? 1 : kHoverLines; }
};

// `left`: where a text beside the panels ends. It has the small panel's room, and none of the caption's.
PresentedLayout layoutFor(const ViewContext& view, float left, ImVec2 size, const PresentedState& state);

}  // namespace stridescope::views
