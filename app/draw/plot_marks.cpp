#include "draw/plot_marks.h"

#include <array>

#include "draw/palette.h"

namespace stridescope::draw {
namespace {

constexpr std::array kLineColours = {kOkabeIto[2], kOkabeIto[3], kOkabeIto[7], kOkabeIto[6], kOkabeIto[5]};
constexpr float kOutlineWidth = 1.5f;  // units

void drawCorners(const DrawContext& context, ImDrawList& list, const ImVec2* corners, int count, ImU32 colour,
                 bool filled) {
  if (filled)
    list.AddConvexPolyFilled(corners, count, colour);
  else
    list.AddPolyline(corners, count, colour, ImDrawFlags_Closed, kOutlineWidth * context.scale);
}

}  // namespace

PlotStyle plotStyle(unsigned number) {
  return {kLineColours[number % kLineColours.size()], PlotMark(number % kPlotMarkCount)};
}

void drawPlotMark(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, PlotMark mark,
                  ImU32 colour, bool filled) {
  const float x = middle.x, y = middle.y, r = radiusPx;
  const float half = r * 0.85f, low = r * 0.6f;  // squares and triangles look as large as the circle
  const float width = 2 * context.scale;
  switch (mark) {
    case PlotMark::Circle:
      if (filled) return list.AddCircleFilled(middle, half, colour);
      return list.AddCircle(middle, half, colour, 0, kOutlineWidth * context.scale);
    case PlotMark::Square: {
      const ImVec2 corners[] = {
          {x - low, y - low}, {x + low, y - low}, {x + low, y + low}, {x - low, y + low}};
      return drawCorners(context, list, corners, 4, colour, filled);
    }
    case PlotMark::Diamond: {
      const ImVec2 corners[] = {{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}};
      return drawCorners(context, list, corners, 4, colour, filled);
    }
    case PlotMark::TriangleUp: {
      const ImVec2 corners[] = {{x, y - r}, {x + half, y + low}, {x - half, y + low}};
      return drawCorners(context, list, corners, 3, colour, filled);
    }
    case PlotMark::TriangleDown: {
      const ImVec2 corners[] = {{x, y + r}, {x - half, y - low}, {x + half, y - low}};
      return drawCorners(context, list, corners, 3, colour, filled);
    }
    case PlotMark::TriangleLeft: {
      const ImVec2 corners[] = {{x - r, y}, {x + low, y - half}, {x + low, y + half}};
      return drawCorners(context, list, corners, 3, colour, filled);
    }
    case PlotMark::TriangleRight: {
      const ImVec2 corners[] = {{x + r, y}, {x - low, y + half}, {x - low, y - half}};
      return drawCorners(context, list, corners, 3, colour, filled);
    }
    case PlotMark::Cross:
      list.AddLine({x - low, y - low}, {x + low, y + low}, colour, width);
      return list.AddLine({x - low, y + low}, {x + low, y - low}, colour, width);
    case PlotMark::Plus:
      list.AddLine({x - half, y}, {x + half, y}, colour, width);
      return list.AddLine({x, y - half}, {x, y + half}, colour, width);
  }
}

}  // namespace stridescope::draw
