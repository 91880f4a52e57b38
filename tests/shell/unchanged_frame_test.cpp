// A frame that shows what is shown already is not drawn.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "shell/frame.h"
#include "support/function_app.h"

namespace stridescope::shell {
namespace {

// Counts what is drawn.
class CountingContext final : public GraphicsContext {
 public:
  int drawn = 0;
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

TEST_F(UnchangedFrame, IsDrawnAgainWhereThePictureIsLost) {
  graphics.isPictureLost = true;
  EXPECT_EQ(drawnBy(3), 1);
}

}  // namespace
}  // namespace stridescope::shell
