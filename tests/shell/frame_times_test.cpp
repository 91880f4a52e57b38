#include <gtest/gtest.h>

#include "shell/frame.h"

namespace stridescope::shell {
namespace {

TEST(FrameTimes, NothingIsZero) {
  EXPECT_EQ(FrameTimes().summary().frames, 0u);
  EXPECT_EQ(FrameTimes().summary().medianMs, 0);
}

// The nearest ranks of 1 ... 100 are 50, 95 and 100, in whatever order the times came.
TEST(FrameTimes, AreNearestRanks) {
  FrameTimes times;
  for (int i = 0; i < 100; ++i) times.add(static_cast<double>(i * 37 % 100 + 1));
  const FrameTimeSummary summary = times.summary();
  EXPECT_EQ(summary.frames, 100u);
  EXPECT_EQ(summary.medianMs, 50);
  EXPECT_EQ(summary.p95Ms, 95);
  EXPECT_EQ(summary.longestMs, 100);
}

TEST(FrameTimes, OnlyTheLatestCount) {
  FrameTimes times;
  times.add(1000);
  for (std::size_t i = 0; i < FrameTimes::kFramesKept; ++i) times.add(2);
  EXPECT_EQ(times.summary().frames, FrameTimes::kFramesKept);
  EXPECT_EQ(times.summary().longestMs, 2);
}

}  // namespace
}  // namespace stridescope::shell
