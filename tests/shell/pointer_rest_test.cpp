// A pointer that nobody moves hovers nothing, until it moves or is used.
#include <gtest/gtest.h>

#include <cmath>

#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "shell/key_input.h"
#include "support/function_app.h"

namespace stridescope::shell {
namespace {

// A graphics context whose pointer may lie where it lay when the window opened.
class PointerContext final : public GraphicsContext {
 public:
  bool moved = true;

  Result<void> startBackends() override { return null_.startBackends(); }
  void stopBackends() override { null_.stopBackends(); }
  void beginFrame() override { null_.beginFrame(); }
  void endFrame(ImDrawData& data, ImU32 ground) override { null_.endFrame(data, ground); }
  float monitorScale() const override { return 1; }
  bool hasPointerMoved() override { return moved; }
  bool hasOpenGl() const override { return false; }
  std::string description() const override { return "no graphics"; }

 private:
  NullContext null_{{800, 600}, 1};
};

// One button that covers the window.
class PointerRestTest : public testing::Test {
 protected:
  PointerRestTest() {
    auto runner = FrameRunner::create(graphics_);
    EXPECT_TRUE(runner);
    runner_ = *std::move(runner);
  }
  // `moved`: the pointer, since the window opened.
  void open(bool moved) {
    graphics_.moved = moved;
    frames(3);  // Dear ImGui hovers what the frame before had
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) runner_->run(app_);
  }
  void move(float x, float y) {
    ImGui::GetIO().AddMousePosEvent(x, y);
    frames(1);
  }
  void press(bool down) {
    ImGui::GetIO().AddMouseButtonEvent(ImGuiMouseButton_Left, down);
    frames(1);
  }

  PointerContext graphics_;
  std::optional<double> after_;
  bool restNow_ = false;
  bool hovered_ = false, rests_ = false;
  int clicks_ = 0;
  ImVec2 clickedAt_;
  support::FunctionApp app_{[this](Frame& frame) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(frame.size);
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    clicks_ += ImGui::Button("button", {700, 500}) ? 1 : 0;
    hovered_ = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked()) clickedAt_ = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
    ImGui::End();
    rests_ = frame.pointer.rests();
    frame.pointer.restAfter(after_);
    if (std::exchange(restNow_, false)) frame.pointer.rest();
  }};
  std::unique_ptr<FrameRunner> runner_;
};

TEST_F(PointerRestTest, WithoutATimeItPointsForAsLongAsItStays) {
  open(true);
  move(200, 200);
  frames(600);
  EXPECT_TRUE(hovered_);
  EXPECT_TRUE(std::isinf(runner_->pointerRestsIn()));
}

TEST_F(PointerRestTest, ItRestsAfterTheTimeAndPointsAgainWhenItMoves) {
  open(true);
  after_ = 3;
  move(200, 200);
  frames(60);
  EXPECT_TRUE(hovered_);
  EXPECT_NEAR(runner_->pointerRestsIn(), 2, 0.1);
  frames(130);
  EXPECT_FALSE(hovered_);
  EXPECT_TRUE(rests_);
  EXPECT_TRUE(std::isinf(runner_->pointerRestsIn()));
  frames(600);
  EXPECT_FALSE(hovered_) << "nothing but itself brings it back";
  move(201, 200);
  EXPECT_TRUE(hovered_);
  EXPECT_FALSE(rests_);
}

TEST_F(PointerRestTest, ItRestsAtOnceWhenItIsAskedTo) {
  open(true);
  move(200, 200);
  ASSERT_TRUE(hovered_);
  restNow_ = true;
  frames(2);
  EXPECT_FALSE(hovered_);
  ImGui::GetIO().AddMousePosEvent(200, 200);  // as a window system says again that it is there
  frames(2);
  EXPECT_FALSE(hovered_) << "the same place is no movement";
  move(200, 203);
  EXPECT_TRUE(hovered_);
}

TEST_F(PointerRestTest, APressCountsWhereThePointerLies) {
  open(true);
  move(200, 200);
  restNow_ = true;
  frames(2);
  ASSERT_FALSE(hovered_);
  press(true);
  press(false);
  EXPECT_EQ(clicks_, 1);
  EXPECT_EQ(clickedAt_.x, 200);
  EXPECT_EQ(clickedAt_.y, 200);
  EXPECT_TRUE(hovered_) << "who presses is pointing";
}

// A window that opens under the pointer, and is moved there by whoever manages windows.
TEST_F(PointerRestTest, APointerThatHasNotMovedSinceTheWindowOpenedHoversNothing) {
  open(false);
  move(200, 200);
  frames(3);
  EXPECT_FALSE(hovered_);
  move(230, 220);
  EXPECT_FALSE(hovered_) << "the window moved under it";
  graphics_.moved = true;
  move(231, 220);
  EXPECT_TRUE(hovered_);
}

TEST_F(PointerRestTest, APointerThatIsPressedBeforeItEverMovedClicks) {
  open(false);
  move(200, 200);
  press(true);
  press(false);
  EXPECT_EQ(clicks_, 1);
}

}  // namespace
}  // namespace stridescope::shell
