#include "shell/key_input.h"

#include <gtest/gtest.h>

namespace stridescope {
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

TEST_F(KeyInputTest, FasterPressesThanFramesAreCounted) {
  for (int i = 0; i < 10; ++i) key(ImGuiKey_P, true), key(ImGuiKey_P, false);
  frame();
  EXPECT_TRUE(ImGui::IsKeyChordPressed(ImGuiKey_P));
  EXPECT_EQ(keys.timesFolded(ImGuiKey_P), 9);
  frame();
  EXPECT_EQ(keys.timesFolded(ImGuiKey_P), 0);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_P));
}

// While a frame is drawn a key goes down and up three times; the release that is still to be taken comes first.
TEST_F(KeyInputTest, NoPressIsLostOrCountedTwice) {
  int seen = 0;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < i % 4; ++j) key(ImGuiKey_P, true), key(ImGuiKey_P, false);
    frame();
    seen += keys.timesFolded(ImGuiKey_P) + ImGui::IsKeyChordPressed(ImGuiKey_P);
  }
  for (int i = 0; i < 4; ++i) {
    frame();
    seen += keys.timesFolded(ImGuiKey_P) + ImGui::IsKeyChordPressed(ImGuiKey_P);
  }
  EXPECT_EQ(seen, 30);
}

TEST_F(KeyInputTest, PressesAreFoldedUnderTheirOwnModifiers) {
  key(ImGuiKey_P, true), key(ImGuiKey_P, false);
  ctrl(true);
  for (int i = 0; i < 3; ++i) key(ImGuiKey_P, true), key(ImGuiKey_P, false);
  ctrl(false);
  int plain = 0, chord = 0;
  for (int i = 0; i < 8; ++i) {
    chord += frame() + keys.timesFolded(ImGuiMod_Ctrl | ImGuiKey_P);
    plain += ImGui::IsKeyChordPressed(ImGuiKey_P) + keys.timesFolded(ImGuiKey_P);
  }
  EXPECT_EQ(plain, 1);
  EXPECT_EQ(chord, 3);
}

TEST_F(KeyInputTest, TextTakesEveryPressItself) {
  fold = false;
  for (int i = 0; i < 3; ++i) key(ImGuiKey_P, true), key(ImGuiKey_P, false);
  int seen = 0;
  for (int i = 0; i < 8; ++i) {
    frame();
    EXPECT_EQ(keys.timesFolded(ImGuiKey_P), 0);
    seen += ImGui::IsKeyChordPressed(ImGuiKey_P);
  }
  EXPECT_EQ(seen, 3);
}

TEST_F(KeyInputTest, CharactersCountInOneFrame) {
  keys.type({U'+', true});
  keys.type({U'=', true});
  keys.type({U'+', false});
  EXPECT_EQ(keys.timesTyped(U"+=", true), 0) << "not yet";
  frame();
  EXPECT_EQ(keys.timesTyped(U"+=", true), 2);
  EXPECT_EQ(keys.timesTyped(U"+", false), 1);
  EXPECT_EQ(keys.timesTyped(U"-", true), 0);
  frame();
  EXPECT_EQ(keys.timesTyped(U"+=", true), 0);
}

}  // namespace
}  // namespace stridescope
