// When the window draws, with a clock made by hand.
#include "shell/frame.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "imgui_internal.h"
#include "shell/run_window.h"
#include "support/function_app.h"

namespace stridescope::shell {
namespace {

// Runs the loop of a window from `now` to `until` without events; returns the frames it drew.
int framesBetween(FramePacer& pacer, double& now, double until, bool wantsMore) {
  int frames = 0;
  while (now < until) {
    const double wait = pacer.secondsToWait(now);
    if (wait > 0) {
      now = std::min(now + wait, until);
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
  EXPECT_EQ(pacer.secondsToWait(now), FramePacer::kUntilAnEvent);
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
  EXPECT_EQ(pacer.secondsToWait(now), FramePacer::kUntilAnEvent) << "though its first frames are not drawn";
  framesBetween(pacer, now, 12, false);
  for (int i = 0; i < 200; ++i) {
    pacer.wake(now);
    pacer.news(now);
    EXPECT_EQ(pacer.secondsToWait(now), FramePacer::kUntilAnEvent);
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

// A frame that shows what is shown already is not drawn.

// Counts what is drawn.
class CountingContext final : public GraphicsContext {
 public:
  int drawn = 0, drawnInParts = 0;  // the first counts both
  FrameParts parts;                 // of the last that was drawn so
  bool isPictureLost = false;

  Result<void> startBackends() override { return null_.startBackends(); }
  void stopBackends() override { null_.stopBackends(); }
  void beginFrame() override { null_.beginFrame(); }
  void endFrame(ImDrawData& data, ImU32 ground) override {
    ++drawn;
    null_.endFrame(data, ground);
    for (ImTextureData* const texture : *data.Textures)  // Dear ImGui's null renderer leaves updates undone
      if (texture->Status == ImTextureStatus_WantUpdates) texture->SetStatus(ImTextureStatus_OK);
  }
  void endFrameIn(const FrameParts& changed, ImDrawData& data, ImU32 ground) override {
    parts = changed;
    ++drawnInParts;
    endFrame(data, ground);
  }
  bool keepsPicture() const override { return true; }
  bool takePictureLost() override { return std::exchange(isPictureLost, false); }
  float monitorScale() const override { return 1; }
  bool hasOpenGl() const override { return false; }
  std::string description() const override { return "counted"; }

 private:
  NullContext null_{{400, 300}, 1};
};

struct UnchangedFrame : testing::Test {
  void SetUp() override {
    auto created = FrameRunner::create(graphics);
    ASSERT_TRUE(created) << created.error().sentence;
    runner = *std::move(created);
    for (int i = 0; i < 5; ++i) runner->run(app);  // the fonts' texture grows with the first letters
    graphics.drawn = 0;
  }
  int drawnBy(int frames) {
    graphics.drawn = 0;
    for (int i = 0; i < frames; ++i) runner->run(app);
    return graphics.drawn;
  }

  std::string text = "Stride 8, 9";
  ImVec2 place{20, 20};
  ImU32 colour = IM_COL32_WHITE;
  CountingContext graphics;
  support::FunctionApp app{
      [this](Frame&) { ImGui::GetForegroundDrawList()->AddText(place, colour, text.c_str()); }};
  std::unique_ptr<FrameRunner> runner;
};

TEST_F(UnchangedFrame, IsNotDrawn) { EXPECT_EQ(drawnBy(10), 0); }

TEST_F(UnchangedFrame, WhateverChangesIsDrawnOnce) {
  text = "Stride 9, 8";
  EXPECT_EQ(drawnBy(3), 1) << "other letters";
  place.y += 1;
  EXPECT_EQ(drawnBy(3), 1) << "another place";
  colour = IM_COL32(255, 255, 255, 254);
  EXPECT_EQ(drawnBy(3), 1) << "another colour";
  text = "\u00e9";
  EXPECT_GE(drawnBy(3), 1) << "a letter that was not drawn before";
  app.look.theme = app.look.theme == draw::Theme::Dark ? draw::Theme::Light : draw::Theme::Dark;
  EXPECT_GE(drawnBy(3), 1) << "another ground";
  app.look.textSize = 1.5f;
  EXPECT_GE(drawnBy(5), 1) << "another size of the text";
  EXPECT_EQ(drawnBy(5), 0);
}

// Every part of it lies in one of the parts.
bool isWithin(ImVec2 min, ImVec2 max, const FrameParts& parts) {
  return std::ranges::any_of(parts, [&](const ImVec4& part) {
    return part.x <= min.x && part.y <= min.y && part.z >= max.x && part.w >= max.y;
  });
}

TEST_F(UnchangedFrame, WhereOneTextMovesThatPartIsDrawn) {
  place = {100, 100};
  EXPECT_EQ(drawnBy(3), 1);
  EXPECT_GE(graphics.drawnInParts, 1);
  EXPECT_TRUE(isWithin({20, 20}, {40, 30}, graphics.parts)) << "where it was";
  EXPECT_TRUE(isWithin({100, 100}, {120, 110}, graphics.parts)) << "where it is";
  EXPECT_FALSE(isWithin({300, 200}, {301, 201}, graphics.parts)) << "where nothing was";
}

// Windows that stand apart, and one that comes before another and goes again.
TEST_F(UnchangedFrame, IsWhatLiesBetweenChangedParts) {
  std::array<std::string, 3> texts{"first", "second", "third"};
  bool hasSecond = true;
  support::FunctionApp windows{[&](Frame&) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i == 1 && !hasSecond) continue;
      ImGui::SetNextWindowPos({10, 10 + 100 * float(i)});
      ImGui::SetNextWindowSize({100, 60});
      ImGui::Begin(std::to_string(i).c_str(), nullptr, ImGuiWindowFlags_NoFocusOnAppearing);
      ImGui::TextUnformatted(texts[i].c_str());
      ImGui::End();
    }
  }};
  const auto settle = [&] {
    for (int i = 0; i < 5; ++i) runner->run(windows);
  };
  settle();
  const ImVec2 in[]{{20, 20}, {20, 120}, {20, 220}};
  const auto isDrawn = [&](std::size_t window) {
    return isWithin(in[window], {in[window].x + 10, in[window].y + 10}, graphics.parts);
  };
  texts[0] = "third", texts[2] = "first";  // of the same letters: the fonts have them
  runner->run(windows);
  EXPECT_EQ(graphics.parts.size(), 2u);
  EXPECT_TRUE(isDrawn(0) && !isDrawn(1) && isDrawn(2));
  for (const bool has : {false, true}) {
    hasSecond = has;
    runner->run(windows);
    EXPECT_TRUE(isDrawn(1)) << "it comes or goes";
    settle();
  }
  texts[0] = "fist";
  runner->run(windows);
  EXPECT_TRUE(isDrawn(0) && !isDrawn(1) && !isDrawn(2));
}

TEST(FrameParts, AreAllThatIsKeptOfAFrame) {
  CountingContext graphics;
  auto runner = FrameRunner::create(graphics);
  ASSERT_TRUE(runner) << runner.error().sentence;
  bool isCallbackKept = false;
  support::FunctionApp app{[](Frame&) {
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled({0, 0}, {400, 300}, IM_COL32_WHITE);
    list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
  }};
  for (int i = 0; i < 3; ++i) (*runner)->run(app);
  ImDrawData& data = *ImGui::GetDrawData();
  const FrameParts parts{{10, 20, 50, 60}, {100, 20, 150, 60}};
  keepParts(data, parts);
  std::vector<ImVec4> clips;
  for (const ImDrawCmd& command : data.CmdLists.back()->CmdBuffer) {
    if (command.UserCallback != nullptr)
      isCallbackKept = true;
    else
      clips.push_back(command.ClipRect);
  }
  ASSERT_EQ(clips.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(clips[i].x, parts[i].x);
    EXPECT_EQ(clips[i].y, parts[i].y);
    EXPECT_EQ(clips[i].z, parts[i].z);
    EXPECT_EQ(clips[i].w, parts[i].w);
  }
  EXPECT_TRUE(isCallbackKept) << "it may set what those after it are drawn with";
}

// The renderer draws so many pixels as the clip rectangle's height has whole ones, from its first one on: cut
// at the end of a part, it still draws up to there.
TEST(FrameParts, KeepTheRowsOfAClipRectangleBetweenPixels) {
  ImDrawListSharedData shared;
  ImDrawList list(&shared);
  list.CmdBuffer.resize(1);
  list.CmdBuffer[0].ClipRect = {5.5f, 10.3f, 90.2f, 80.6f};  // rows 10 to 79, columns 5 to 88
  ImDrawData data;
  data.CmdLists.push_back(&list);
  keepParts(data, {{0, 0, 50, 50}, {50, 50, 100, 100}});
  ASSERT_EQ(list.CmdBuffer.Size, 2);
  const ImVec4 first = list.CmdBuffer[0].ClipRect, second = list.CmdBuffer[1].ClipRect;
  EXPECT_EQ(first.x, 5);
  EXPECT_EQ(first.y, 10);
  EXPECT_EQ(first.w, 50);
  EXPECT_EQ(second.x, 50);
  EXPECT_EQ(second.z, 89);
  EXPECT_EQ(second.w, 80);
}

TEST_F(UnchangedFrame, IsDrawnAgainWhereThePictureIsLost) {
  graphics.isPictureLost = true;
  EXPECT_EQ(drawnBy(3), 1);
}

}  // namespace
}  // namespace stridescope::shell
