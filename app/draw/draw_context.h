// What every painter needs besides an ImDrawList: colours, faces, the scale, the grid painter.
#pragma once

#include <cmath>

#include "draw/fonts.h"
#include "draw/palette.h"

namespace stridescope::draw {

class GridPainter;
class TextLog;
struct PanelStand;

struct DrawContext {
  Theme theme = Theme::Dark;
  Fonts fonts;
  float scale = 1.0f;  // pixels a unit of metrics.h: the monitor's scale times the person's text size
  GridPainter* grids = nullptr;       // never null while a frame is drawn
  TextLog* textLog = nullptr;         // null unless somebody measures the window's text
  const PanelStand* stand = nullptr;  // null: panels are docked (panel.h)

  const Palette& colours() const { return palette(theme); }

  // Units of metrics.h as whole pixels. Anything above 0 is at least one.
  float px(float units) const {
    const float rounded = std::round(units * scale);
    return units > 0.0f && rounded < 1.0f ? 1.0f : rounded;
  }
};

}  // namespace stridescope::draw
