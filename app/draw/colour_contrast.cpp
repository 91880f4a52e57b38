#include "draw/colour_contrast.h"

#include <algorithm>
#include <cmath>

namespace stridescope::draw {
namespace {

double linear(ImU32 colour, int shift) {
  const double channel = static_cast<double>((colour >> shift) & 0xFF) / 255.0;
  return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double relativeLuminance(ImU32 colour) {
  return 0.2126 * linear(colour, IM_COL32_R_SHIFT) + 0.7152 * linear(colour, IM_COL32_G_SHIFT) +
         0.0722 * linear(colour, IM_COL32_B_SHIFT);
}

}  // namespace

double contrastRatio(ImU32 first, ImU32 second) {
  const auto [darker, lighter] = std::minmax({relativeLuminance(first), relativeLuminance(second)});
  return (lighter + 0.05) / (darker + 0.05);
}

ImU32 readableOn(ImU32 ground) {
  return contrastRatio(ground, IM_COL32_BLACK) >= contrastRatio(ground, IM_COL32_WHITE) ? IM_COL32_BLACK
                                                                                        : IM_COL32_WHITE;
}

}  // namespace stridescope::draw
