#include "shell/key_input.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "support/function_app.h"

namespace stridescope::shell {
namespace {

// Dear ImGui alone, without backends.
class KeyInputTest : public testing::Test {
 protected:
  void SetUp() override {
    context = ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {320, 200};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    frame();
    frame();
  }
  void TearDown() override { ImGui::DestroyContext(context); }

  void key(ImGuiKey which, bool down) { ImGui::GetIO().AddKeyEvent(which, down); }
  void ctrl(bool down) {
    key(ImGuiMod_Ctrl, down);
    key(ImGuiKey_LeftCtrl, down);
  }

  void tap(ImGuiKey which, unsigned times) {
    for (unsigned i = 0; i < times; ++i) key(which, true), key(which, false);
  }

  // What these frames count as pressed, in its order.
  std::vector<ImGuiKeyChord> countedIn(int frames) {
    std::vector<ImGuiKeyChord> counted;
    for (int i = 0; i < frames; ++i) {
      frame();
      counted.insert(counted.end(), keys.presses().begin(), keys.presses().end());
      for (const ImGuiKeyChord chord :
           {ImGuiKeyChord(ImGuiKey_P), ImGuiKeyChord(ImGuiKey_Q), ImGuiKeyChord(ImGuiMod_Ctrl | ImGuiKey_P)})
        if (ImGui::IsKeyChordPressed(chord) && !keys.hadBefore(chord)) counted.push_back(chord);
    }
    return counted;
  }

  // True if Ctrl+P counts as pressed in this frame.
  bool frame() {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    keys.beginFrame(context->InputEventsQueue, ImGui::GetIO().KeyMods, fold);
    ImGui::NewFrame();
    keys.restore(context->InputEventsQueue);
    const bool pressed = ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_P);
    ImGui::EndFrame();
    return pressed;
  }

  ImGuiContext* context = nullptr;
  KeyInput keys;
  bool fold = true;
};

TEST_F(KeyInputTest, AChordWithinOneFrameIsSeen) {
  ctrl(true), key(ImGuiKey_P, true), key(ImGuiKey_P, false), ctrl(false);
  EXPECT_TRUE(frame());
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(frame()) << "once only";
  EXPECT_EQ(ImGui::GetIO().KeyMods, 0);
}

TEST_F(KeyInputTest, AChordWhoseModifierGoesUpFirstIsSeen) {
  ctrl(true);
  EXPECT_FALSE(frame());
  key(ImGuiKey_P, true), ctrl(false), key(ImGuiKey_P, false);
  EXPECT_TRUE(frame());
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(frame());
  EXPECT_EQ(ImGui::GetIO().KeyMods, 0);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_P));
}

TEST_F(KeyInputTest, TwoChordsAreSeenTwice) {
  for (int i = 0; i < 2; ++i) ctrl(true), key(ImGuiKey_P, true), ctrl(false), key(ImGuiKey_P, false);
  int seen = 0;
  for (int i = 0; i < 8; ++i) seen += frame();
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(ImGui::GetIO().KeyMods, 0);
}

TEST_F(KeyInputTest, AKeyAfterTheModifierIsNoChord) {
  ctrl(true), ctrl(false), key(ImGuiKey_P, true), key(ImGuiKey_P, false);
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(frame());
}

TEST_F(KeyInputTest, FasterPressesThanFramesAreAllThere) {
  tap(ImGuiKey_P, 10);
  frame();
  EXPECT_EQ(keys.presses(), std::vector<ImGuiKeyChord>(10, ImGuiKey_P));
  EXPECT_TRUE(ImGui::IsKeyChordPressed(ImGuiKey_P));
  EXPECT_TRUE(keys.hadBefore(ImGuiKey_P)) << "it is one of the ten";
  frame();
  EXPECT_TRUE(keys.presses().empty());
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_P));
  tap(ImGuiKey_P, 1);
  EXPECT_EQ(countedIn(4), (std::vector<ImGuiKeyChord>{ImGuiKey_P}));
}

TEST_F(KeyInputTest, TheirOrderIsKept) {
  tap(ImGuiKey_P, 2), tap(ImGuiKey_Q, 3), tap(ImGuiKey_P, 1);
  const std::vector<ImGuiKeyChord> expected{ImGuiKey_P, ImGuiKey_P, ImGuiKey_Q,
                                            ImGuiKey_Q, ImGuiKey_Q, ImGuiKey_P};
  EXPECT_EQ(countedIn(6), expected);
}

// While a frame is drawn keys go down and up; what is still to be taken from the last frame comes first.
TEST_F(KeyInputTest, NoPressIsLostOrCountedTwice) {
  std::size_t pressed = 0, counted = 0;
  for (unsigned i = 0; i < 200; ++i) {
    const unsigned p = i * 7 % 5, q = i * 11 % 4;
    tap(ImGuiKey_P, p), tap(ImGuiKey_Q, q);
    pressed += p + q;
    counted += countedIn(1).size();
  }
  EXPECT_EQ(counted + countedIn(6).size(), pressed);
}

TEST_F(KeyInputTest, PressesAreFoldedUnderTheirOwnModifiers) {
  tap(ImGuiKey_P, 1);
  ctrl(true);
  tap(ImGuiKey_P, 3);
  ctrl(false);
  const ImGuiKeyChord chord = ImGuiMod_Ctrl | ImGuiKey_P;
  EXPECT_EQ(countedIn(8), (std::vector<ImGuiKeyChord>{ImGuiKey_P, chord, chord, chord}));
}

TEST_F(KeyInputTest, TextTakesEveryPressItself) {
  fold = false;
  tap(ImGuiKey_P, 3);
  EXPECT_EQ(countedIn(8), std::vector<ImGuiKeyChord>(3, ImGuiKey_P));
  EXPECT_TRUE(keys.presses().empty());
}

TEST_F(KeyInputTest, CharactersCountInOneFrame) {
  keys.type({U'+', true});
  keys.type({U'=', true});
  keys.type({U'+', false});
  EXPECT_TRUE(keys.typed().empty()) << "not yet";
  frame();
  ASSERT_EQ(keys.typed().size(), 3u);
  EXPECT_EQ(keys.typed()[0].character, U'+');
  EXPECT_TRUE(keys.typed()[0].ctrl);
  EXPECT_EQ(keys.typed()[1].character, U'=');
  EXPECT_FALSE(keys.typed()[2].ctrl);
  frame();
  EXPECT_TRUE(keys.typed().empty());
}

// A pointer that nobody moves hovers nothing, until it moves or is used.

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
  bool hasField_ = false;
  std::array<char, 16> text_{"12345"};
  support::FunctionApp app_{[this](Frame& frame) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(frame.size);
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    clicks_ += ImGui::Button("button", {700, 500}) ? 1 : 0;
    hovered_ = ImGui::IsItemHovered();
    if (ImGui::IsItemClicked()) clickedAt_ = ImGui::GetIO().MouseClickedPos[ImGuiMouseButton_Left];
    if (hasField_) {
      if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
      ImGui::InputText("field", text_.data(), text_.size());
    }
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

TEST_F(PointerRestTest, AFieldTakesTextWhileThePointerRests) {
  hasField_ = true;
  open(false);
  ASSERT_TRUE(rests_);
  frames(2);
  EXPECT_TRUE(ImGui::GetIO().WantTextInput) << "so that an on-screen keyboard comes";
  const auto press = [](ImGuiKey key) {
    ImGui::GetIO().AddKeyEvent(key, true);
    ImGui::GetIO().AddKeyEvent(key, false);
  };
  press(ImGuiKey_End);
  frames(3);
  for (int i = 0; i < 2; ++i) press(ImGuiKey_Backspace);
  frames(6);
  EXPECT_STREQ(text_.data(), "123") << "a field takes every press, however fast they come";
}

}  // namespace
}  // namespace stridescope::shell
