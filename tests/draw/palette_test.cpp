// The palette's promises to the eye: contrasts by WCAG's formula, Viridis by matplotlib's own values.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "draw/draw_context.h"

namespace stridescope::draw {
namespace {

constexpr ImU32 kWhite = IM_COL32(255, 255, 255, 255);

std::array<int, 3> channels(ImU32 colour) {
  return {static_cast<int>((colour >> IM_COL32_R_SHIFT) & 0xFF),
          static_cast<int>((colour >> IM_COL32_G_SHIFT) & 0xFF),
          static_cast<int>((colour >> IM_COL32_B_SHIFT) & 0xFF)};
}

void expectNear(ImU32 colour, std::array<int, 3> wanted, int tolerance) {
  const auto got = channels(colour);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i], wanted[i], tolerance) << "channel " << i;
}

// Reference ratios that WCAG's tools give for these well-known pairs.
TEST(ColourContrast, IsTheFormulaOfWcag) {
  EXPECT_DOUBLE_EQ(contrastRatio(IM_COL32_BLACK, kWhite), 21.0);
  EXPECT_DOUBLE_EQ(contrastRatio(kWhite, IM_COL32_BLACK), 21.0);
  EXPECT_DOUBLE_EQ(contrastRatio(kWhite, kWhite), 1.0);
  EXPECT_NEAR(contrastRatio(IM_COL32(0x77, 0x77, 0x77, 255), kWhite), 4.48, 0.005);
  EXPECT_NEAR(contrastRatio(IM_COL32(0xFF, 0, 0, 255), kWhite), 4.00, 0.005);
}

TEST(Palette, TextIsReadOnPanels) {
  const Palette& dark = palette(Theme::Dark);
  EXPECT_NEAR(contrastRatio(dark.text, dark.panel), 15.8, 0.1);
  EXPECT_NEAR(contrastRatio(dark.dim, dark.panel), 9.7, 0.1);
  const Palette& light = palette(Theme::Light);
  EXPECT_NEAR(contrastRatio(light.text, light.panel), 18.5, 0.1);
  EXPECT_NEAR(contrastRatio(light.dim, light.panel), 9.3, 0.1);
}

class EveryTheme : public testing::TestWithParam<Theme> {};
INSTANTIATE_TEST_SUITE_P(Palette, EveryTheme, testing::Values(Theme::Dark, Theme::Light));

TEST_P(EveryTheme, TextIsReadOnEveryGroundItStandsOn) {
  const Palette& p = palette(GetParam());
  for (const ImU32 ground : {p.window, p.panel, p.raised, p.field, p.dead}) {
    EXPECT_GE(contrastRatio(p.text, ground), 7.0);
    EXPECT_GE(contrastRatio(p.dim, ground), 7.0);
  }
  for (const ImU32 ground : {p.result, p.operand, p.hover}) EXPECT_GE(contrastRatio(p.ink, ground), 7.0);
  for (const ImU32 ground : {p.panel, p.raised}) EXPECT_GE(contrastRatio(p.problem, ground), 4.5);
}

// WCAG 2.1, success criteria 1.4.3 and 1.4.11: links 4.5 : 1, what shows a control or a cell 3 : 1.
TEST_P(EveryTheme, LinksFramesAndMarksStandOutFromTheirGround) {
  const Palette& p = palette(GetParam());
  for (const ImU32 ground : {p.window, p.panel, p.raised, p.field}) {
    EXPECT_GE(contrastRatio(p.operandLine, ground), 4.5);
    EXPECT_GE(contrastRatio(p.frame, ground), 3.0);
  }
  for (const ImU32 ground : {p.panel, p.raised, p.dead}) EXPECT_GE(contrastRatio(p.resultLine, ground), 3.0);
  for (const ImU32 ground : {p.panel, p.dead}) EXPECT_GE(contrastRatio(p.hatch, ground), 3.0);
  for (const ImU32 ground : {p.panel, p.raised})
    EXPECT_GE(std::max(contrastRatio(p.result, ground), contrastRatio(p.resultLine, ground)), 3.0);
  // Round its fill a darker line is seen from inside, too.
  if (p.resultLine != p.result) {
    EXPECT_GE(contrastRatio(p.resultLine, p.result), 3.0);
  }
}

// The page of `export` has the window's colours.
TEST_P(EveryTheme, TheExportedPageHasTheSameColours) {
  const Palette& p = palette(GetParam());
  std::ifstream stream(STRIDESCOPE_SOURCE "/assets/handout/page.css");
  const std::string css{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t block = css.find(GetParam() == Theme::Dark ? "html[data-theme=\"dark\"] {" : ":root {");
  ASSERT_NE(block, std::string::npos);
  const std::string rules = css.substr(block, css.find('}', block) - block);
  const std::pair<const char*, ImU32> named[] = {
      {"page", p.window}, {"panel", p.panel}, {"raised", p.raised}, {"field", p.field},    {"line", p.line},
      {"frame", p.frame}, {"text", p.text},   {"dim", p.dim},       {"problem", p.problem}};
  for (const auto& [name, colour] : named) {
    const auto [red, green, blue] = channels(colour);
    char hex[8];
    std::snprintf(hex, sizeof hex, "#%02x%02x%02x", unsigned(red), unsigned(green), unsigned(blue));
    EXPECT_NE(rules.find("--" + std::string(name) + ": " + hex + ";"), std::string::npos)
        << name << " " << hex;
  }
}

TEST_P(EveryTheme, TheMeaningsAreOkabeAndItos) {
  const Palette& p = palette(GetParam());
  expectNear(p.result, {230, 159, 0}, 0);
  expectNear(p.operand, {86, 180, 233}, 0);
  expectNear(p.hover, {240, 228, 66}, 0);
}

// Why the light theme never writes in orange or blue, and draws no thin line in them.
TEST(Palette, OrangeAndBlueAreWeakOnWhite) {
  EXPECT_NEAR(contrastRatio(palette(Theme::Light).result, kWhite), 2.3, 0.1);
  EXPECT_NEAR(contrastRatio(palette(Theme::Light).operand, kWhite), 2.3, 0.1);
}

// matplotlib.colormaps['viridis'] at these amounts; ten stops are within four levels of its 256.
TEST(Viridis, IsMatplotlibs) {
  expectNear(viridis(0.0f), {68, 1, 84}, 0);
  expectNear(viridis(0.25f), {59, 82, 139}, 4);
  expectNear(viridis(0.5f), {33, 145, 140}, 4);
  expectNear(viridis(0.75f), {94, 201, 98}, 4);
  expectNear(viridis(1.0f), {253, 231, 37}, 0);
}

TEST(Viridis, TakesAnyNumber) {
  EXPECT_EQ(viridis(-3.0f), viridis(0.0f));
  EXPECT_EQ(viridis(7.0f), viridis(1.0f));
  EXPECT_EQ(viridis(std::numeric_limits<float>::quiet_NaN()), viridis(0.0f));
  EXPECT_EQ(viridis(std::numeric_limits<float>::infinity()), viridis(1.0f));
}

TEST(Viridis, GrowsLighterWithTheAmount) {
  double before = 0;
  for (int i = 0; i <= 100; ++i) {
    const double onBlack = contrastRatio(viridis(static_cast<float>(i) / 100), IM_COL32_BLACK);
    EXPECT_GT(onBlack, before - 0.02) << i;
    before = onBlack;
  }
}

TEST(ReadableOn, PicksTheBetterOfBlackAndWhite) {
  EXPECT_EQ(readableOn(viridis(0.0f)), kWhite);
  EXPECT_EQ(readableOn(viridis(1.0f)), IM_COL32_BLACK);
  for (int i = 0; i <= 255; ++i) {
    const ImU32 ground = viridis(static_cast<float>(i) / 255);
    EXPECT_GE(contrastRatio(readableOn(ground), ground), 4.5) << i;
  }
}

TEST(Mix, GoesStraightFromOneToTheOther) {
  const ImU32 from = IM_COL32(0, 100, 200, 0), to = IM_COL32(100, 0, 200, 255);
  EXPECT_EQ(mix(from, to, 0.0f), from);
  EXPECT_EQ(mix(from, to, 1.0f), to);
  EXPECT_EQ(mix(from, to, 0.5f), IM_COL32(50, 50, 200, 128));
  EXPECT_EQ(withAlpha(to, 0.2f), IM_COL32(100, 0, 200, 51));
}

}  // namespace
}  // namespace stridescope::draw
