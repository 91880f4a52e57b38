// The lines of a plot told apart twice: by a colour and by the mark that sits on their points.
#pragma once

#include <cstdint>

#include "draw/draw_context.h"
#include "imgui.h"

namespace stridescope::draw {

enum class PlotMark : std::uint8_t {
  Circle,
  Square,
  Diamond,
  TriangleUp,
  TriangleDown,
  TriangleLeft,
  TriangleRight,
  Cross,
  Plus,
};
inline constexpr unsigned kPlotMarkCount = 9;

struct PlotStyle {
  ImU32 colour = 0;
  PlotMark mark = PlotMark::Circle;
};

// How the n-th line is drawn. Five colours of kOkabeIto and nine marks: 45 lines differ. Orange is left for
// what is selected, yellow for what is under the pointer, and black cannot be seen on the dark ground.
PlotStyle plotStyle(unsigned number);

// Draws the mark filled, or its outline alone if it stands for what was not measured here. A cross looks the
// same in both cases.
void drawPlotMark(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, PlotMark mark,
                  ImU32 colour, bool filled = true);

}  // namespace stridescope::draw
