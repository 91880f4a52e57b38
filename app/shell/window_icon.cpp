#include "shell/window_icon.h"

#include <cmath>

#include "draw/palette.h"

namespace stridescope::shell {
namespace {

struct Point {
  float x, y;
};

// A figure of the icon in a square of 16 x 16.
bool inRectangle(Point p, float left, float top, float right, float bottom) {
  return p.x >= left && p.x < right && p.y >= top && p.y < bottom;
}

bool inDisc(Point p, Point middle, float radius) {
  return std::hypot(p.x - middle.x, p.y - middle.y) <= radius;
}

bool onLine(Point p, Point from, Point to, float width) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float along = ((p.x - from.x) * (to.x - from.x) + (p.y - from.y) * (to.y - from.y)) / length;
  const float across = ((p.x - from.x) * (to.y - from.y) - (p.y - from.y) * (to.x - from.x)) / length;
  return along >= 0 && along <= length && std::abs(across) <= width / 2;
}

ImU32 colourAt(Point p) {
  const draw::Palette& colours = draw::palette(draw::Theme::Dark);
  const bool operandA = inRectangle(p, 2, 2, 7, 6);
  const bool operandB = inRectangle(p, 9, 2, 14, 6) && !inRectangle(p, 10, 3, 13, 5);
  const bool lines = onLine(p, {4.5f, 6}, {8, 9}, 1) || onLine(p, {11.5f, 6}, {8, 9}, 1);
  if (inDisc(p, {8, 9}, 2) || inRectangle(p, 2, 11.5f, 14, 14.5f)) return colours.result;
  if (operandA || operandB || lines) return colours.operand;
  return inRectangle(p, 0.5f, 0.5f, 15.5f, 15.5f) ? colours.window : 0;
}

}  // namespace

Image windowIcon(int size) {
  Image icon{{size, size}, {}};
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const float unit = 16.0f / static_cast<float>(size);
      const ImU32 colour =
          colourAt({(static_cast<float>(x) + 0.5f) * unit, (static_cast<float>(y) + 0.5f) * unit});
      for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT, IM_COL32_A_SHIFT}) {
        icon.rgba.push_back(static_cast<std::uint8_t>((colour >> shift) & 0xFF));
      }
    }
  }
  return icon;
}

}  // namespace stridescope::shell
