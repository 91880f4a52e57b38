// The window's measures in units: pixels at 100 % on an ordinary monitor. DrawContext::px makes pixels of
// them.
#pragma once

namespace stridescope::draw {

// Sizes of type, in ems.
inline constexpr float kLabelSize = 12;    // labels and cells; nothing is smaller
inline constexpr float kBodySize = 14;     // body; panel titles in the semibold face
inline constexpr float kCaptionSize = 20;  // the caption, and the stride's number
inline constexpr float kCodeLineHeight = 17;
inline constexpr float kLabelLineHeight = 16;

// Present mode's smallest text, pixels at a window height of kPresenterHeight: it grows with a higher window,
// and everything with it.
inline constexpr float kPresenterHeight = 1080;
inline constexpr float kPresenterTextSize = 28;

inline constexpr float kBaseUnit = 4;
inline constexpr float kPanelInset = 12;
inline constexpr float kPanelGap = 8;
inline constexpr float kPanelRadius = 4;
inline constexpr float kFieldRadius = 3;
inline constexpr float kControlHeight = 24;
inline constexpr float kTransportButtonWidth = 40;
inline constexpr float kTransportButtonHeight = 32;
inline constexpr float kPanelTitleHeight = 32;  // from a panel's upper edge to its content

}  // namespace stridescope::draw
