#include "draw/marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "draw/draw_context.h"

namespace stridescope::draw {
namespace {

constexpr float kBracketArm = 4.0f;
constexpr float kTagInset = 8.0f;
constexpr float kRingWidth = 2.0f;
constexpr float kOuterRingWidth = 3.0f;
constexpr float kMinInside = 6.0f;  // ring widths: two lines on each side, and as much of the fill

}  // namespace

void drawHatch(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
  const float period = context.px(kHatchPeriod);
  const float width = context.px(1) * 0.8f;
  list.PushClipRect(min, max, true);
  // Lines x + y = k * period, counted from the screen's corner so that neighbouring strips continue each
  // other.
  const float first = std::floor((min.x + min.y) / period) * period;
  for (float sum = first; sum < max.x + max.y; sum += period) {
    list.AddLine({sum - max.y, max.y}, {sum - min.y, min.y}, colour, width);
  }
  list.PopClipRect();
}

void drawDashedLine(const DrawContext& context, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour,
                    float width, float dash) {
  const ImVec2 whole(to.x - from.x, to.y - from.y);
  const float length = std::hypot(whole.x, whole.y);
  const float step = context.px(dash);
  if (length <= 0.0f) return;
  const auto at = [&](float distance) {
    const float share = std::min(distance, length) / length;
    return ImVec2(from.x + whole.x * share, from.y + whole.y * share);
  };
  for (float start = 0; start < length; start += 2 * step) {
    list.AddLine(at(start), at(start + step), colour, context.px(width));
  }
}

void drawDashedRectangle(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour,
                         float width, float dash) {
  const float half = context.px(width) / 2;
  const ImVec2 a(min.x + half, min.y + half), c(max.x - half, max.y - half);
  const ImVec2 b(c.x, a.y), d(a.x, c.y);
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, d), std::pair(d, a)}) {
    drawDashedLine(context, list, from, to, colour, width, dash);
  }
}

void drawCross(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, ImU32 colour,
               float width) {
  const float thickness = std::max(1.0f, width * context.scale);
  list.AddLine({middle.x - radiusPx, middle.y - radiusPx}, {middle.x + radiusPx, middle.y + radiusPx}, colour,
               thickness);
  list.AddLine({middle.x - radiusPx, middle.y + radiusPx}, {middle.x + radiusPx, middle.y - radiusPx}, colour,
               thickness);
}

void drawTick(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, ImU32 colour,
              float width) {
  const ImVec2 stroke[3] = {{middle.x - radiusPx, middle.y},
                            {middle.x - radiusPx * 0.25f, middle.y + radiusPx * 0.75f},
                            {middle.x + radiusPx, middle.y - radiusPx * 0.75f}};
  list.AddPolyline(stroke, 3, colour, ImDrawFlags_None, std::max(1.0f, width * context.scale));
}

void outlineInside(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour,
                   float width, float radius) {
  const float thickness = context.px(width);
  const float half = thickness / 2;
  // AddRect draws round the middle of its line half a pixel in.
  list.AddRect({min.x + half - 0.5f, min.y + half - 0.5f}, {max.x - half + 0.5f, max.y - half + 0.5f}, colour,
               radius * context.scale, thickness);
}

void drawStruckCell(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
  outlineInside(context, list, min, max, colour, 1);
  const float middle = std::round((min.y + max.y) / 2);
  list.AddLine({min.x, middle}, {max.x, middle}, colour, context.px(1));
}

void drawHoverRing(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const Palette& colours = context.colours();
  if (colours.hoverRing != colours.hover) {
    const float outside = context.px(kOuterRingWidth);
    outlineInside(context, list, {min.x - outside, min.y - outside}, {max.x + outside, max.y + outside},
                  colours.hoverRing, kOuterRingWidth);
  }
  outlineInside(context, list, min, max, colours.hover, kRingWidth);
}

void drawLinkedRing(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max) {
  constexpr float kMaxShareOfACell = 0.2f;  // so that its fill is seen
  const Palette& colours = context.colours();
  const bool isOne = colours.hoverRing == colours.hover;
  const float room = std::min(max.x - min.x, max.y - min.y) * kMaxShareOfACell / context.scale;
  outlineInside(context, list, min, max, colours.hoverRing, std::min(isOne ? 1.5f : 2.0f, room));
}

void drawProblemRing(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const Palette& colours = context.colours();
  const float width = context.px(kRingWidth);
  const bool isSmall = max.x - min.x < kMinInside * width || max.y - min.y < kMinInside * width;
  const float by = isSmall ? -width : width;
  outlineInside(context, list, {min.x + by, min.y + by}, {max.x - by, max.y - by}, colours.problemRing,
                kRingWidth);
  outlineInside(context, list, min, max, colours.problem, kRingWidth);
}

void drawProblemCircle(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx) {
  const float width = context.px(kRingWidth);
  list.AddCircle(middle, radiusPx - width, context.colours().problemRing, 0, width);
  list.AddCircle(middle, radiusPx, context.colours().problem, 0, width);
}

void drawHoverRingOnAmounts(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const float width = context.px(kRingWidth);
  outlineInside(context, list, {min.x - width, min.y - width}, {max.x + width, max.y + width}, IM_COL32_BLACK,
                kRingWidth);
  outlineInside(context, list, min, max, IM_COL32_WHITE, kRingWidth);
}

void drawDisc(DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, ImU32 fill,
              std::string_view text, const TextStyle& style) {
  list.AddCircleFilled(middle, radiusPx, fill);
  if (text.empty() || textSize(style, text).x > 2 * radiusPx) return;
  drawText(context, list, {middle.x - radiusPx, middle.y - radiusPx},
           {middle.x + radiusPx, middle.y + radiusPx}, text, style, TextAlign::Centre);
}

DrawnText drawTag(DrawContext& context, ImDrawList& list, ImVec2 min, std::string_view text,
                  const TextStyle& style, ImU32 fill, ImU32 outline) {
  const float inset = context.px(kTagInset);
  const float height = std::round(style.sizePx * 1.7f);
  const ImVec2 max(min.x + std::ceil(textSize(style, text).x) + 2 * inset, min.y + height);
  if (fill != 0) list.AddRectFilled(min, max, fill, context.px(3));
  if (outline != 0) outlineInside(context, list, min, max, outline, 2, 3);
  drawText(context, list, {min.x + inset, min.y}, {max.x - inset, max.y}, text, style);
  return {min, max, false};
}

void drawBracket(const DrawContext& context, ImDrawList& list, float left, float right, float y,
                 ImU32 colour) {
  const float width = context.px(2);
  const float arm = context.px(kBracketArm);
  list.AddRectFilled({left, y - width}, {right, y}, colour);
  list.AddRectFilled({left, y - arm}, {left + width, y}, colour);
  list.AddRectFilled({right - width, y - arm}, {right, y}, colour);
}

void fillTriangleRight(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
  list.AddTriangleFilled(min, {max.x, (min.y + max.y) / 2}, {min.x, max.y}, colour);
}

void fillTriangleLeft(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour) {
  list.AddTriangleFilled({max.x, min.y}, max, {min.x, (min.y + max.y) / 2}, colour);
}

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
