// What every painter needs besides an ImDrawList: colours, faces, the scale, the grid painter.
#pragma once

#include <cmath>

#include "draw/palette.h"

// The window's typefaces. Sizes are the em's, in pixels, and a line of text is as high as its em.

struct ImFont;

namespace stridescope::draw {

// None is null while a frame is drawn: a face that is missing falls back to another.
struct Fonts {
  ImFont* words = nullptr;          // Inter Regular
  ImFont* wordsSemiBold = nullptr;  // Inter SemiBold
  ImFont* wordsBold = nullptr;      // Inter Bold
  ImFont* code = nullptr;           // JetBrains Mono Regular: code, figures, indices
  ImFont* codeBold = nullptr;       // JetBrains Mono Bold
};

class GridPainter;
class TextLog;
struct PanelStand;

struct DrawContext {
  Theme theme = Theme::Dark;
  Fonts fonts;
  float scale = 1.0f;  // pixels a unit of draw_context.h: the monitor's scale times the person's text size
  GridPainter* grids = nullptr;       // never null while a frame is drawn
  TextLog* textLog = nullptr;         // null unless somebody measures the window's text
  const PanelStand* stand = nullptr;  // null: panels are docked (panel.h)
  bool isPicture = false;             // nobody points at what is drawn, and nobody presses keys

  const Palette& colours() const { return palette(theme); }

  // Units of draw_context.h as whole pixels. Anything above 0 is at least one.
  float px(float units) const {
    const float rounded = std::round(units * scale);
    return units > 0.0f && rounded < 1.0f ? 1.0f : rounded;
  }
};

// The window's measures in units: pixels at 100 % on an ordinary monitor. DrawContext::px makes pixels of
// them.

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
inline constexpr float kHatchPeriod = 5;  // from one diagonal line to the next, along x
inline constexpr float kPanelInset = 12;
inline constexpr float kPanelGap = 8;
inline constexpr float kPanelRadius = 4;
inline constexpr float kFieldRadius = 3;
inline constexpr float kControlHeight = 24;
inline constexpr float kTransportButtonWidth = 40;
inline constexpr float kTransportButtonHeight = 32;
inline constexpr float kPanelTitleHeight = 32;  // from a panel's upper edge to its content

}  // namespace stridescope::draw
