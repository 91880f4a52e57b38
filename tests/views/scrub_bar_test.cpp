// Where the ticks of the scrub bar stand.
#include "views/transport/scrub_bar.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

std::vector<std::vector<unsigned>> ofOnePass(const std::vector<unsigned>& rounds) {
  std::vector<std::vector<unsigned>> passes;
  for (const unsigned count : rounds) passes.emplace_back(count, 1u);
  return passes;
}

TEST(ScrubBar, SpreadsOneLaunchOverItsWidth) {
  const ScrubScale scale = layOutScrubBar(ofOnePass({10}), 900, 60);
  ASSERT_EQ(scale.ticks.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(scale.ticks[i].x, 100.0f * float(i));
  EXPECT_TRUE(scale.boundaries.empty());
}

TEST(ScrubBar, CutsBetweenLaunches) {
  const ScrubScale scale = layOutScrubBar(ofOnePass({3, 2}), 360, 60);  // three steps of 100 and one gap
  ASSERT_EQ(scale.ticks.size(), 5u);
  const float expected[] = {0, 100, 200, 260, 360};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(scale.ticks[i].x, expected[i]) << i;
  EXPECT_EQ(scale.ticks[3].at, (session::Playhead{1, 0}));
  ASSERT_EQ(scale.boundaries.size(), 1u);
  EXPECT_EQ(scale.boundaries[0].x, 230);
  EXPECT_EQ(scale.boundaries[0].launch, 1u);
}

TEST(ScrubBar, KeepsTheGapsToAQuarter) {
  const ScrubScale scale =
      layOutScrubBar(ofOnePass({2, 2, 2, 2, 2}), 400, 60);  // 4 gaps of 25 and 5 steps of 60
  EXPECT_EQ(scale.ticks[2].x - scale.ticks[1].x, 25);
  EXPECT_EQ(scale.ticks[1].x, 60);
  EXPECT_EQ(scale.ticks.back().x, 400);
}

TEST(ScrubBar, StandsOneRoundOrManyLaunchesOfOne) {
  EXPECT_EQ(layOutScrubBar(ofOnePass({1}), 400, 60).ticks.size(), 1u);
  const ScrubScale scale = layOutScrubBar(ofOnePass({1, 1, 1}), 400, 60);
  ASSERT_EQ(scale.ticks.size(), 3u);
  EXPECT_LT(scale.ticks[0].x, scale.ticks[1].x);
  EXPECT_LT(scale.ticks[1].x, scale.ticks[2].x);
  EXPECT_EQ(scale.boundaries.size(), 2u);
}

TEST(ScrubBar, FindsTheNearestTick) {
  const ScrubScale scale = layOutScrubBar(ofOnePass({3, 2}), 360, 60);
  EXPECT_EQ(scale.nearest(-20), 0u);
  EXPECT_EQ(scale.nearest(149), 1u);
  EXPECT_EQ(scale.nearest(151), 2u);
  EXPECT_EQ(scale.nearest(229), 2u);
  EXPECT_EQ(scale.nearest(231), 3u);
  EXPECT_EQ(scale.nearest(999), 4u);
}

// A round of two passes takes two steps, one of nine four; the last has its room, too.
TEST(ScrubBar, GivesPassesRoom) {
  const ScrubScale scale = layOutScrubBar({{2, 1, 9}}, 700, 60);
  ASSERT_EQ(scale.ticks.size(), 3u);
  EXPECT_EQ(scale.ticks[0].xOf(1), 100);
  EXPECT_EQ(scale.ticks[1].x, 200);
  EXPECT_EQ(scale.ticks[2].x, 300);
  EXPECT_NEAR(scale.ticks[2].xOf(8), 300 + 400 * 8 / 9.0, 0.01);
  EXPECT_EQ(scale.nearestPass(0), (session::Playhead{0, 0, 0}));
  EXPECT_EQ(scale.nearestPass(101), (session::Playhead{0, 0, 1}));
  EXPECT_EQ(scale.nearestPass(210), (session::Playhead{0, 1, 0}));
  EXPECT_EQ(scale.nearestPass(302), (session::Playhead{0, 2, 0}));
  EXPECT_EQ(scale.nearestPass(700), (session::Playhead{0, 2, 8}));
}

}  // namespace
}  // namespace stridescope::views
