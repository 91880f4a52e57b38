#include <gtest/gtest.h>

#include "shell/window_context.h"

namespace stridescope::shell {
namespace {

// Monitors as they are sold: pixels and millimetres across.
TEST(TextScale, FollowsTheDensityWhereTheDesktopAsksForNothing) {
  EXPECT_EQ(textScaleOf(1, 1920, 527), 1) << "24 inches, 93 pixels an inch";
  EXPECT_EQ(textScaleOf(1, 2560, 597), 1) << "27 inches, 109";
  EXPECT_EQ(textScaleOf(1, 3840, 597), 1.5f) << "27 inches, 163";
  EXPECT_EQ(textScaleOf(1, 3840, 708), 1.25f) << "32 inches, 138";
  EXPECT_EQ(textScaleOf(1, 3840, 344), 2.75f) << "a laptop of 15.6 inches, 283";
  EXPECT_EQ(textScaleOf(1, 7680, 597), 3) << "no larger";
}

TEST(TextScale, IsTheDesktopsWhereItAsksForOne) {
  EXPECT_EQ(textScaleOf(2, 3840, 597), 2);
  EXPECT_EQ(textScaleOf(1.25f, 3840, 344), 1.25f);
}

TEST(TextScale, BelievesNoSizeThatIsNoMonitors) {
  EXPECT_EQ(textScaleOf(1, 3840, 160), 1.5f) << "160 by 90 is an aspect ratio: as 27 inches";
  EXPECT_EQ(textScaleOf(1, 3840, 0), 1.5f) << "a projector tells none";
  EXPECT_EQ(textScaleOf(1, 3840, 1016), 1.5f) << "GLFW says 96 pixels an inch of it";
  EXPECT_EQ(textScaleOf(1, 3840, 1020), 1) << "a television of 46 inches";
  EXPECT_EQ(textScaleOf(1, 1920, 0), 1);
  EXPECT_EQ(textScaleOf(1, 1024, 0), 1);
  EXPECT_EQ(textScaleOf(1, 0, 597), 1);
}

}  // namespace
}  // namespace stridescope::shell
