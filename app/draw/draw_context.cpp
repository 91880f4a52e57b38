#include "draw/draw_context.h"

#include <algorithm>
#include <cmath>

namespace stridescope::draw {
namespace {

constexpr ImU32 rgb(std::uint32_t hex) {
  return IM_COL32((hex >> 16) & 0xFF, (hex >> 8) & 0xFF, hex & 0xFF, 0xFF);
}

constexpr ImU32 kOrange = rgb(0xE69F00);
constexpr ImU32 kSkyBlue = rgb(0x56B4E9);
constexpr ImU32 kYellow = rgb(0xF0E442);

constexpr Palette kDark = {
    .window = rgb(0x0D1014),
    .panel = rgb(0x161A20),
    .raised = rgb(0x1F252D),
    .field = rgb(0x262D37),
    .line = rgb(0x343D49),
    .frame = rgb(0x74808E),
    .grid = rgb(0x262D36),
    .text = rgb(0xF1F4F8),
    .dim = rgb(0xB9C2CD),
    .result = kOrange,
    .operand = kSkyBlue,
    .resultLine = kOrange,
    .operandLine = kSkyBlue,
    .hover = kYellow,
    .hoverRing = kYellow,
    .live = rgb(0x46525F),
    .dead = rgb(0x20262E),
    .toCome = rgb(0x4A5664),
    .hatch = rgb(0x66717E),
    .problem = rgb(0xFF9A5C),
    .problemRing = rgb(0x0A0C0F),
    .ink = rgb(0x0A0C0F),
};

constexpr Palette kLight = {
    .window = rgb(0xE9ECEF),
    .panel = rgb(0xFFFFFF),
    .raised = rgb(0xFFF6E3),
    .field = rgb(0xEEF1F4),
    .line = rgb(0xB8C0C8),
    .frame = rgb(0x78828C),
    .grid = rgb(0xE1E5E9),
    .text = rgb(0x101418),
    .dim = rgb(0x3F4852),
    .result = kOrange,
    .operand = kSkyBlue,
    .resultLine = rgb(0x7A4F00),
    .operandLine = rgb(0x0060A0),
    .hover = kYellow,
    .hoverRing = rgb(0x000000),
    .live = rgb(0x9AA5B0),
    .dead = rgb(0xEDF0F2),
    .toCome = rgb(0xC6CDD4),
    .hatch = rgb(0x6C7782),
    .problem = rgb(0x803100),
    .problemRing = rgb(0xFFFFFF),
    .ink = rgb(0x000000),
};

}  // namespace

const Palette& palette(Theme theme) { return theme == Theme::Light ? kLight : kDark; }

ImU32 mix(ImU32 from, ImU32 to, float share) {
  const float clamped = std::clamp(share, 0.0f, 1.0f);
  ImU32 mixed = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto a = static_cast<float>((from >> shift) & 0xFF);
    const auto b = static_cast<float>((to >> shift) & 0xFF);
    mixed |= static_cast<ImU32>(std::lround(a + (b - a) * clamped)) << shift;
  }
  return mixed;
}

ImU32 viridis(float amount) {
  const float clamped = amount > 0.0f ? std::min(amount, 1.0f) : 0.0f;  // NaN fails the comparison
  const float position = clamped * static_cast<float>(kViridis.size() - 1);
  const auto stop = std::min(static_cast<std::size_t>(position), kViridis.size() - 2);
  return mix(kViridis[stop], kViridis[stop + 1], position - static_cast<float>(stop));
}

ImU32 withAlpha(ImU32 colour, float alpha) {
  const auto opacity = static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255.0f));
  return (colour & ~static_cast<ImU32>(IM_COL32_A_MASK)) | (opacity << IM_COL32_A_SHIFT);
}

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
