// The window's small figures on an ImDrawList: for single things. Maps go through grid_painter.h.
// Positions and sizes are pixels; widths named in units are scaled by the context.
#pragma once

#include <cstdint>
#include <string_view>

#include "draw/draw_context.h"
#include "draw/text.h"
#include "imgui.h"

namespace stridescope::draw {

// Diagonal lines inside [min, max]: inactive.
void drawHatch(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

// A straight line in dashes of `dash` units with gaps as long.
void drawDashedLine(const DrawContext& context, ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 colour,
                    float width = 1, float dash = 4);
void drawDashedRectangle(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour,
                         float width = 1, float dash = 4);

// Both diagonals of the square round `middle`, `radiusPx` to each corner along either axis.
void drawCross(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, ImU32 colour,
               float width = 1.5f);
void drawTick(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, ImU32 colour,
              float width = 2);

// A rectangle whose outline lies wholly inside [min, max].
void outlineInside(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour,
                   float width = 2, float radius = 0);

// The same, thin, with a line through it: a value that stands for nothing.
void drawStruckCell(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

// The ring round what is hovered: yellow; in the light theme with black outside it.
void drawHoverRing(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max);

// Round each of many that are lit together: thinner, and in the light theme black outside it too.
void drawLinkedRing(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max);

// Round what a race or another problem is about: a dark and a light line, of which one stands out on any
// fill. The second lies inside the first or, where a cell is too small for that, outside.
void drawProblemRing(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max);
// The same round a disc: the problem's line is `radiusPx` away from the middle, the other one inside it.
void drawProblemCircle(const DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx);

// The ring for maps of amounts, whose top colour is a yellow of its own: white, black outside.
void drawHoverRingOnAmounts(const DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max);

// A disc with a text in its middle; without the text when that is wider than the disc.
void drawDisc(DrawContext& context, ImDrawList& list, ImVec2 middle, float radiusPx, ImU32 fill,
              std::string_view text, const TextStyle& style);

// A rounded label that is as wide as its text: `min` is its upper left corner. Returns what it covers.
DrawnText drawTag(DrawContext& context, ImDrawList& list, ImVec2 min, std::string_view text,
                  const TextStyle& style, ImU32 fill, ImU32 outline = 0);

// A bracket under a piece of text: from `left` to `right`, its arms pointing up from `y`.
void drawBracket(const DrawContext& context, ImDrawList& list, float left, float right, float y,
                 ImU32 colour);

// Triangles: 'play', and the pointer at the better of two figures.
void fillTriangleRight(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);
void fillTriangleLeft(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour);

// The lines of a plot told apart twice: by a colour and by the mark that sits on their points.

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
