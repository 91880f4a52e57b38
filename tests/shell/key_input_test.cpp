#include "shell/key_input.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stridescope::shell
