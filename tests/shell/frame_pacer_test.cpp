// When the window draws, with a clock made by hand.
#include <gtest/gtest.h>

#include "shell/run_window.h"

namespace stridescope::shell {
namespace {

// Runs the loop of a window from `now` to `until` without events; returns the frames it drew.
int framesBetween(FramePacer& pacer, double& now, double until, bool wantsMore) {
  int frames = 0;
  while (now < until) {
    const double wait = pacer.secondsToWait(now);
    if (wait > 0) {
      now += wait;
      continue;
    }
    pacer.frameBegun(now, wantsMore);
    ++frames;
    now += 0.001;
  }
  return frames;
}

TEST(FramePacer, AnIdleWindowDrawsNothing) {
  FramePacer pacer;
  double now = 10;
  EXPECT_EQ(framesBetween(pacer, now, 11, false), FramePacer::kFramesAfterWake) << "it opens with a few";
  EXPECT_EQ(framesBetween(pacer, now, 100, false), 0);
  EXPECT_EQ(pacer.secondsToWait(now), FramePacer::kLongestSleep);
}

TEST(FramePacer, AnEventIsFollowedByThreeFramesAndTheLateOnes) {
  FramePacer pacer;
  double now = 10;
  framesBetween(pacer, now, 12, false);
  pacer.wake(now);
  EXPECT_EQ(pacer.secondsToWait(now), 0) << "at once";
  EXPECT_EQ(framesBetween(pacer, now, now + 0.1, false), 3);
  EXPECT_EQ(framesBetween(pacer, now, now + 1, false), 3) << "for tooltips that wait";
  EXPECT_EQ(framesBetween(pacer, now, now + 50, false), 0);
}

TEST(FramePacer, WhatMovesIsDrawnAtSixtyFramesASecond) {
  FramePacer pacer;
  double now = 10;
  EXPECT_NEAR(framesBetween(pacer, now, 12, true), 120, 2);
}

TEST(FramePacer, EventsDoNotMakeItFasterThanTheMonitor) {
  FramePacer pacer;
  double now = 10;
  int frames = 0;
  for (; now < 12; now += 0.001) {
    pacer.wake(now);
    if (!pacer.frameDue(now)) continue;
    pacer.frameBegun(now, false);
    ++frames;
  }
  EXPECT_LE(frames, 121);
  EXPECT_GE(frames, 110);
}

TEST(FramePacer, NewsIsDrawnAtOnceAndOnceMoreWhenItEnds) {
  FramePacer pacer;
  double now = 10;
  framesBetween(pacer, now, 12, false);
  pacer.news(now);
  EXPECT_EQ(pacer.secondsToWait(now), 0) << "at once";
  EXPECT_EQ(framesBetween(pacer, now, now + 0.09, false), 1);
  EXPECT_EQ(framesBetween(pacer, now, now + 1, false), 1) << "for a layout that follows";
  EXPECT_EQ(framesBetween(pacer, now, now + 50, false), 0);
}

// What wakes it is drawn when it is seen again.
TEST(FramePacer, AWindowThatIsNotSeenSleepsWhateverHappens) {
  FramePacer pacer;
  double now = 10;
  pacer.setVisible(false, now);
  EXPECT_EQ(pacer.secondsToWait(now), FramePacer::kLongestSleep) << "though its first frames are not drawn";
  framesBetween(pacer, now, 12, false);
  for (int i = 0; i < 200; ++i) {
    pacer.wake(now);
    pacer.news(now);
    EXPECT_EQ(pacer.secondsToWait(now), FramePacer::kLongestSleep);
    EXPECT_FALSE(pacer.frameDue(now));
    now += 0.01;
  }
  EXPECT_EQ(framesBetween(pacer, now, now + 50, true), 0);
  pacer.setVisible(true, now);
  EXPECT_TRUE(pacer.frameDue(now)) << "at once";
  EXPECT_EQ(framesBetween(pacer, now, now + 0.1, false), FramePacer::kFramesAfterWake);
}

TEST(FramePacer, AMovingPictureThatIsHiddenIsNotDrawn) {
  FramePacer pacer;
  double now = 10;
  EXPECT_GT(framesBetween(pacer, now, 11, true), 50);
  pacer.setVisible(false, now);
  EXPECT_EQ(framesBetween(pacer, now, now + 10, true), 0);
}

TEST(FramePacer, WhatChangesByItselfIsDrawnOnceThen) {
  FramePacer pacer;
  double now = 10;
  framesBetween(pacer, now, 12, false);
  pacer.frameBegun(now, false, 3);
  EXPECT_EQ(framesBetween(pacer, now, now + 2.9, false), 0);
  EXPECT_EQ(framesBetween(pacer, now, now + 0.2, false), 1);
  EXPECT_EQ(framesBetween(pacer, now, now + 50, false), 0);
}

// Twenty times a second, as timing has it: no more frames than news.
TEST(FramePacer, NewsThatGoesOnIsDrawnOnceEach) {
  FramePacer pacer;
  double now = 10;
  framesBetween(pacer, now, 12, false);
  int frames = 0;
  for (int i = 0; i < 40; ++i) {
    pacer.news(now);
    frames += framesBetween(pacer, now, now + 0.05, false);
  }
  EXPECT_GE(frames, 40);
  EXPECT_LE(frames, 42);
}

}  // namespace
}  // namespace stridescope::shell
