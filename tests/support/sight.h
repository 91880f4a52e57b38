// Colours as a person with another sight sees them, and how far apart two of them are. Coded here alone: the
// program itself needs none of it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "imgui.h"

namespace stridescope::support {

using SightMatrix = std::array<std::array<double, 3>, 3>;
struct Sight {
  const char* name;
  SightMatrix matrix;
};

// Machado, Oliveira and Fernandes, 'A Physiologically-based Model for Simulation of Color Vision Deficiency',
// IEEE Transactions on Visualization and Computer Graphics 15(6), 2009: severity 1.0, applied to linear RGB.
// https://www.inf.ufrgs.br/~oliveira/pubs_files/CVD_Simulation/CVD_Simulation.html
inline constexpr std::array<Sight, 4> kSights{
    {{"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
     {"protan",
      {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
     {"deutan",
      {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
     {"tritan",
      {{{1.255528, -0.076749, -0.178779},
        {-0.078411, 0.930809, 0.147602},
        {0.004733, 0.691367, 0.303900}}}}}};

inline std::array<double, 3> linearOf(ImU32 colour) {
  const auto linear = [&](int shift) {
    const double value = double((colour >> shift) & 0xFF) / 255;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return {linear(IM_COL32_R_SHIFT), linear(IM_COL32_G_SHIFT), linear(IM_COL32_B_SHIFT)};
}

inline ImU32 seenBy(const SightMatrix& sight, ImU32 colour) {
  const auto encoded = [](double value) {
    const double clamped = std::clamp(value, 0.0, 1.0);
    const double gamma = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
    return unsigned(std::lround(gamma * 255));
  };
  const auto in = linearOf(colour);
  std::array<unsigned, 3> out{};
  for (std::size_t row = 0; row < 3; ++row)
    out[row] = encoded(sight[row][0] * in[0] + sight[row][1] * in[1] + sight[row][2] * in[2]);
  return IM_COL32(out[0], out[1], out[2], 0xFF);
}

// CIE L*a*b* of D65.
struct Lab {
  double lightness = 0, a = 0, b = 0;
};
inline Lab labOf(ImU32 colour) {
  const auto [r, g, b] = linearOf(colour);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

// CIEDE2000, as Sharma, Wu and Dalal have it ('The CIEDE2000 Color-Difference Formula: Implementation Notes,
// Supplementary Test Data, and Mathematical Observations', Color Research and Application 30(1), 2005). 1 is
// just noticed side by side; from 10 on, two colours are told apart at a glance.
inline double differenceOf(const Lab& first, const Lab& second) {
  const auto radians = [](double degrees) { return degrees * std::numbers::pi / 180; };
  const auto to7 = [](double value) { return std::pow(value, 7); };
  const double meanChroma = (std::hypot(first.a, first.b) + std::hypot(second.a, second.b)) / 2;
  const double grown = 1.5 - 0.5 * std::sqrt(to7(meanChroma) / (to7(meanChroma) + to7(25)));
  const double a1 = first.a * grown, a2 = second.a * grown;
  const double chroma1 = std::hypot(a1, first.b), chroma2 = std::hypot(a2, second.b);
  const auto hue = [](double a, double b) {
    const double degrees = a == 0 && b == 0 ? 0 : std::atan2(b, a) * 180 / std::numbers::pi;
    return degrees < 0 ? degrees + 360 : degrees;
  };
  const double hue1 = hue(a1, first.b), hue2 = hue(a2, second.b);
  const bool grey = chroma1 * chroma2 == 0;
  double turn = grey ? 0 : hue2 - hue1;
  if (turn > 180) turn -= 360;
  if (turn < -180) turn += 360;
  double meanHue = hue1 + hue2;
  if (!grey && std::abs(hue1 - hue2) > 180) meanHue += meanHue < 360 ? 360 : -360;
  if (!grey) meanHue /= 2;
  const double lightness = (first.lightness + second.lightness) / 2, chroma = (chroma1 + chroma2) / 2;
  const double t = 1 - 0.17 * std::cos(radians(meanHue - 30)) + 0.24 * std::cos(radians(2 * meanHue)) +
                   0.32 * std::cos(radians(3 * meanHue + 6)) - 0.20 * std::cos(radians(4 * meanHue - 63));
  const double fromMiddle = (lightness - 50) * (lightness - 50);
  const double dL =
      (second.lightness - first.lightness) / (1 + 0.015 * fromMiddle / std::sqrt(20 + fromMiddle));
  const double dC = (chroma2 - chroma1) / (1 + 0.045 * chroma);
  const double dH = 2 * std::sqrt(chroma1 * chroma2) * std::sin(radians(turn / 2)) / (1 + 0.015 * chroma * t);
  const double bent = (meanHue - 275) / 25;
  const double rotation =
      -std::sin(radians(60 * std::exp(-bent * bent))) * 2 * std::sqrt(to7(chroma) / (to7(chroma) + to7(25)));
  return std::sqrt(dL * dL + dC * dC + dH * dH + rotation * dC * dH);
}

inline double differenceFor(const Sight& sight, ImU32 first, ImU32 second) {
  return differenceOf(labOf(seenBy(sight.matrix, first)), labOf(seenBy(sight.matrix, second)));
}

}  // namespace stridescope::support
