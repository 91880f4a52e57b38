// The ring round a race is seen on every fill that it stands on, whatever a person's sight.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "draw/palette.h"
#include "views/memory/shared_memory_scene.h"

namespace stridescope::views {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

// Machado, Oliveira and Fernandes, 'A Physiologically-based Model for Simulation of Color Vision Deficiency',
// IEEE Transactions on Visualization and Computer Graphics 15(6), 2009: severity 1.0, applied to linear RGB.
// https://www.inf.ufrgs.br/~oliveira/pubs_files/CVD_Simulation/CVD_Simulation.html
constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

double linear(unsigned channel) {
  const double value = double(channel) / 255;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
unsigned gamma(double value) {
  const double clamped = std::clamp(value, 0.0, 1.0);
  const double encoded = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
  return unsigned(std::lround(encoded * 255));
}

ImU32 seen(ImU32 colour, const Matrix& sight) {
  const std::array<double, 3> in{linear((colour >> IM_COL32_R_SHIFT) & 0xFF),
                                 linear((colour >> IM_COL32_G_SHIFT) & 0xFF),
                                 linear((colour >> IM_COL32_B_SHIFT) & 0xFF)};
  std::array<unsigned, 3> out{};
  for (std::size_t row = 0; row < 3; ++row)
    out[row] = gamma(sight[row][0] * in[0] + sight[row][1] * in[1] + sight[row][2] * in[2]);
  return IM_COL32(out[0], out[1], out[2], 0xFF);
}

// Cells of the band, of the rows, of Lanes and of registers; the grounds between them.
std::vector<std::pair<const char*, ImU32>> fillsOf(const draw::Palette& p) {
  return {{"result", p.result},
          {"operand", p.operand},
          {"operand kept in a register", registerOperandColour(p)},
          {"result kept in a register", registerResultColour(p)},
          {"hovered", p.hover},
          {"live", p.live},
          {"dead", p.dead},
          {"panel", p.panel},
          {"raised", p.raised},
          {"field", p.field}};
}

TEST(ProblemRing, OneOfItsTwoLinesStandsOutOnEveryFillInEverySight) {
  const std::pair<const char*, Matrix> sights[] = {
      {"normal", kNormal}, {"protan", kProtan}, {"deutan", kDeutan}, {"tritan", kTritan}};
  for (const draw::Theme theme : {draw::Theme::Dark, draw::Theme::Light}) {
    const draw::Palette& p = draw::palette(theme);
    for (const auto& [sight, matrix] : sights) {
      const ImU32 first = seen(p.problem, matrix), second = seen(p.problemRing, matrix);
      EXPECT_GE(draw::contrastRatio(first, second), 3) << sight;
      for (const auto& [name, fill] : fillsOf(p)) {
        const ImU32 ground = seen(fill, matrix);
        EXPECT_GE(std::max(draw::contrastRatio(first, ground), draw::contrastRatio(second, ground)), 3)
            << name << " in the " << (theme == draw::Theme::Dark ? "dark" : "light") << " theme, " << sight;
      }
    }
  }
}

TEST(ProblemRing, OneLineAloneWouldNotDo) {
  const draw::Palette& dark = draw::palette(draw::Theme::Dark);
  EXPECT_LT(draw::contrastRatio(dark.problem, dark.result), 1.5) << "on orange";
  EXPECT_LT(draw::contrastRatio(dark.problemRing, dark.panel), 1.5);
}

// The matrices keep greys, as those of a simulation must.
TEST(ProblemRing, TheSimulatedSightsKeepGreys) {
  for (const Matrix& sight : {kProtan, kDeutan, kTritan})
    for (const unsigned grey : {0u, 60u, 128u, 255u}) {
      const ImU32 got = seen(IM_COL32(grey, grey, grey, 0xFF), sight);
      for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
        EXPECT_NEAR(double((got >> shift) & 0xFF), double(grey), 1);
    }
}

}  // namespace
}  // namespace stridescope::views
