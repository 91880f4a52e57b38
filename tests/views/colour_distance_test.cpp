// Colours that mean different things are told apart by a person of any sight, and what is not told apart by
// its colour has a mark of its own.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "draw/draw_context.h"
#include "draw/marks.h"
#include "support/sight.h"

namespace stridescope::views {
namespace {

using support::kSights;
using support::seenBy;
using support::Sight;

constexpr double kAtAGlance = 10, kSideBySide = 3;  // CIEDE2000

using Named = std::pair<const char*, ImU32>;

// What cells, lanes and discs are filled with.
std::vector<Named> meaningsOf(const draw::Palette& p) {
  return {
      {"result", p.result}, {"operand", p.operand}, {"hover", p.hover}, {"live", p.live}, {"dead", p.dead}};
}

class ColourDistance : public testing::TestWithParam<std::pair<draw::Theme, Sight>> {};

TEST_P(ColourDistance, OfTwoMeaningsIsSeenAtAGlance) {
  const auto& [theme, sight] = GetParam();
  const std::vector<Named> meanings = meaningsOf(draw::palette(theme));
  for (std::size_t i = 0; i < meanings.size(); ++i)
    for (std::size_t j = i + 1; j < meanings.size(); ++j)
      EXPECT_GE(differenceFor(sight, meanings[i].second, meanings[j].second), kAtAGlance)
          << meanings[i].first << " and " << meanings[j].first;
}

TEST_P(ColourDistance, OfAMeaningFromThePanelIsSeenAtAGlance) {
  const auto& [theme, sight] = GetParam();
  const draw::Palette& p = draw::palette(theme);
  for (const auto& [name, colour] : meaningsOf(p))
    if (colour != p.dead) {  // which is meant to sink into it
      EXPECT_GE(differenceFor(sight, colour, p.panel), kAtAGlance) << name;
    }
}

// Amounts: the more, the lighter, in steps that can be seen.
TEST_P(ColourDistance, OfViridisGrowsWithTheAmount) {
  const Sight& sight = GetParam().second;
  for (std::size_t i = 1; i < draw::kViridis.size(); ++i) {
    const auto lightness = [&](std::size_t stop) {
      return support::labOf(seenBy(sight.matrix, draw::kViridis[stop])).lightness;
    };
    EXPECT_GT(lightness(i), lightness(i - 1)) << "stop " << i;
    EXPECT_GE(differenceFor(sight, draw::kViridis[i], draw::kViridis[i - 1]), kSideBySide) << "stop " << i;
  }
}

// The first 45 lines of a plot: more than there are variants.
TEST_P(ColourDistance, OfTwoLinesOfAPlotIsSeenOrTheyHaveOtherMarks) {
  const Sight& sight = GetParam().second;
  for (unsigned i = 0; i < 45; ++i)
    for (unsigned j = 0; j < i; ++j) {
      const draw::PlotStyle first = draw::plotStyle(i), second = draw::plotStyle(j);
      if (first.mark == second.mark) {
        EXPECT_GE(differenceFor(sight, first.colour, second.colour), kAtAGlance) << j << " and " << i;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Sights, ColourDistance, testing::ValuesIn([] {
                           std::vector<std::pair<draw::Theme, Sight>> all;
                           for (const draw::Theme theme : {draw::Theme::Dark, draw::Theme::Light})
                             for (const Sight& sight : kSights) all.emplace_back(theme, sight);
                           return all;
                         }()),
                         [](const auto& one) {
                           return std::string(one.param.second.name) +
                                  (one.param.first == draw::Theme::Dark ? "Dark" : "Light");
                         });

// The problem's orange is near the result's for some: it is never alone (problem_ring_test.cpp).
TEST(ColourDistanceItself, FindsWhatIsTooNear) {
  const draw::Palette& p = draw::palette(draw::Theme::Dark);
  EXPECT_LT(differenceFor(kSights[3], p.problem, p.result), kAtAGlance);
}

// The colours are some of the test data that Sharma, Wu and Dalal give with the formula.
TEST(ColourDistanceItself, IsThePublishedFormula) {
  const auto expect = [](const support::Lab& first, const support::Lab& second, double difference) {
    EXPECT_NEAR(differenceOf(first, second), difference, 5e-5);
    EXPECT_NEAR(differenceOf(second, first), difference, 5e-5);
  };
  expect({50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425);
  expect({50, 0, 0}, {50, -1, 2}, 2.3669);
  expect({50, 2.49, -0.001}, {50, -2.49, 0.0011}, 7.2195);
  expect({50, 2.5, 0}, {73, 25, -18}, 27.1492);
  expect({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644);
  expect({2.0776, 0.0795, -1.135}, {0.9033, -0.0636, -0.5514}, 0.9082);
}

// The matrices keep greys, as those of a simulation must.
TEST(ColourDistanceItself, TheSimulatedSightsKeepGreys) {
  for (const Sight& sight : kSights)
    for (const unsigned grey : {0u, 60u, 128u, 255u}) {
      const ImU32 got = seenBy(sight.matrix, IM_COL32(grey, grey, grey, 0xFF));
      for (const int shift : {IM_COL32_R_SHIFT, IM_COL32_G_SHIFT, IM_COL32_B_SHIFT})
        EXPECT_NEAR(double((got >> shift) & 0xFF), double(grey), 1) << sight.name;
    }
}

}  // namespace
}  // namespace stridescope::views
