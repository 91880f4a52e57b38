#include "shell/key_order.h"

#include <gtest/gtest.h>

namespace stridescope {
namespace {

// Dear ImGui alone, without backends.
class KeyOrder : public testing::Test {
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
    releases.hold(context->InputEventsQueue);
    ImGui::NewFrame();
    releases.restore(context->InputEventsQueue);
    const bool pressed = ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_P);
    ImGui::EndFrame();
    return pressed;
  }

  ImGuiContext* context = nullptr;
  EarlyReleases releases;
};

TEST_F(KeyOrder, AChordWithinOneFrameIsSeen) {
  ctrl(true), key(ImGuiKey_P, true), key(ImGuiKey_P, false), ctrl(false);
  EXPECT_TRUE(frame());
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(frame()) << "once only";
  EXPECT_EQ(ImGui::GetIO().KeyMods, 0);
}

TEST_F(KeyOrder, AChordWhoseModifierGoesUpFirstIsSeen) {
  ctrl(true);
  EXPECT_FALSE(frame());
  key(ImGuiKey_P, true), ctrl(false), key(ImGuiKey_P, false);
  EXPECT_TRUE(frame());
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(frame());
  EXPECT_EQ(ImGui::GetIO().KeyMods, 0);
  EXPECT_FALSE(ImGui::IsKeyDown(ImGuiKey_P));
}

TEST_F(KeyOrder, TwoChordsAreSeenTwice) {
  for (int i = 0; i < 2; ++i) ctrl(true), key(ImGuiKey_P, true), ctrl(false), key(ImGuiKey_P, false);
  int seen = 0;
  for (int i = 0; i < 8; ++i) seen += frame();
  EXPECT_EQ(seen, 2);
  EXPECT_EQ(ImGui::GetIO().KeyMods, 0);
}

TEST_F(KeyOrder, AKeyAfterTheModifierIsNoChord) {
  ctrl(true), ctrl(false), key(ImGuiKey_P, true), key(ImGuiKey_P, false);
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(frame());
}

}  // namespace
}  // namespace stridescope
