// From the smallest text to the largest, in small windows and large ones: texts can be read, panels have
// room, and what steps and chooses stands within the window.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Overlay;
using test::WorkbenchUi;

struct Ground {
  shell::PixelSize size;
  int textSize;  // percent
};

class TextSizes : public testing::TestWithParam<Ground> {
 protected:
  static WorkbenchUi windowOf(const Ground& ground) {
    session::Settings settings;
    settings.textSize = ground.textSize;
    return WorkbenchUi({.size = ground.size, .settings = settings});
  }
  static float unit() { return float(GetParam().textSize) / 100; }
  static bool isWithin(ImVec2 min, ImVec2 max) {
    return min.x >= 0 && min.y >= 0 && max.x <= float(GetParam().size.width) &&
           max.y <= float(GetParam().size.height);
  }
};

TEST_P(TextSizes, WhatIsReadHasRoomForItsLines) {
  WorkbenchUi w = windowOf(GetParam());
  for (const auto& [overlay, title] :
       {std::pair(Overlay::Lesson, "Lesson"), std::pair(Overlay::Tour, "Tour"),
        std::pair(Overlay::Glossary, "Glossary"), std::pair(Overlay::Welcome, "Welcome")}) {
    if (overlay == Overlay::Tour)
      w.apply(session::StartTour{"first"});
    else
      w.apply(session::ShowOverlay{overlay});
    const ImGuiWindow* const window = ImGui::FindWindowByName(title);
    ASSERT_NE(window, nullptr) << title;
    EXPECT_TRUE(isWithin(window->Pos, window->Pos + window->Size)) << title;
    EXPECT_GE(window->InnerClipRect.GetHeight(), 110 * unit()) << title << ": five lines";
    EXPECT_GE(window->InnerClipRect.GetWidth(), 240 * unit()) << title;
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window == title) {
        EXPECT_FALSE(entry.shortened) << entry.text << " in " << title;
        EXPECT_LE(entry.max.x, entry.clipMax.x + 1) << entry.text << " in " << title;
      }
  }
}

TEST_P(TextSizes, EveryPanelHasRoomAndTheKeyboard) {
  WorkbenchUi w = windowOf(GetParam());
  for (const Panel& panel : allPanels()) {
    w.session().apply(session::FocusPart{panel.id});
    w.ui().drawFrames(8);
    const PanelArea area = w.workbench().areaOf(panel.id);
    EXPECT_TRUE(isWithin(area.min, area.max)) << panel.id;
    EXPECT_GE(area.max.y - area.min.y, 50 * unit()) << panel.id;
    EXPECT_GE(area.max.x - area.min.x, 100 * unit()) << panel.id;
  }
}

const ImGuiWindow* scrolledPartOf(const std::string& panel) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string_view(window->Name).starts_with(panel + "/scrolled_")) return window;
  return nullptr;
}

// Where the whole of a map has no room, arrow keys and the wheel come to what is beyond.
TEST_P(TextSizes, AMapWithoutItsRoomIsReachedByKeysAndWheel) {
  WorkbenchUi w = windowOf(GetParam());
  for (const char* panel : {"banks", "lanes"}) {
    w.session().apply(session::FocusPart{panel});
    w.ui().drawFrames(8);
    const std::string title = findPanel(allPanels(), panel)->title;
    const ImGuiWindow* part = scrolledPartOf(title);
    if (part == nullptr) continue;  // it has its room
    EXPECT_GT(part->ScrollMax.x + part->ScrollMax.y, 0) << panel;
    EXPECT_TRUE(isWithin(part->Pos, part->Pos + part->Size)) << panel;
    w.run("down", [&](ImGuiTestContext* test) {
      for (int i = 0; i < 40; ++i) test->KeyPress(ImGuiKey_DownArrow);
    });
    w.ui().drawFrames(2);
    part = scrolledPartOf(title);
    ASSERT_NE(part, nullptr) << panel;
    // Less than half of the map is below the window: its last row may be seen at once.
    if (part->ScrollMax.y > part->Size.y / 2) {
      EXPECT_GT(part->Scroll.y, 0) << panel << " by keys";
    }
    for (const float turns : {-20.0f, 20.0f}) {
      w.run("wheel", [&](ImGuiTestContext* test) {
        test->MouseMoveToPos(part->Rect().GetCenter());
        test->MouseWheelY(turns);
      });
      w.ui().drawFrames(8);
      part = scrolledPartOf(title);
      EXPECT_EQ(part->Scroll.y, turns < 0 ? part->ScrollMax.y : 0) << panel << " by the wheel";
    }
  }
}

TEST_P(TextSizes, WhatStepsAndChoosesStandsWithinTheWindow) {
  WorkbenchUi w = windowOf(GetParam());
  w.run("step", [&](ImGuiTestContext* test) {
    test->ItemClick("//##transport/Step forward");
    test->Yield(3);
    IM_CHECK_EQ(w.session().replay().playhead().round, 5u);
    test->KeyPress(ImGuiKey_Tab);
    test->Yield(3);
    IM_CHECK_STR_EQ(w.session().app().focused().c_str(), "experiment bar");
    for (const char* item : {"//##bar/##variant", "//##transport/Play or pause"}) {
      const ImGuiTestItemInfo info = test->ItemInfo(item);
      IM_CHECK_SILENT(isWithin(info.RectFull.Min, info.RectFull.Max));
    }
    test->ItemClick("//##bar/##variant");  // also where the bar came with the keyboard alone
    test->Yield(3);
    IM_CHECK_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1);
  });
}

// The caption, like every text, is well set, and it is never cut off.
TEST_P(TextSizes, TheCaptionIsWellSet) {
  WorkbenchUi w = windowOf(GetParam());
  std::vector<draw::TextLog::Entry> texts;
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
    if (entry.window == "##transport") texts.push_back(entry);
  EXPECT_FALSE(texts.empty());
  test::expectWellSet(texts, float(GetParam().size.width) / unit(), "caption");
}

INSTANTIATE_TEST_SUITE_P(Grounds, TextSizes,
                         testing::Values(Ground{{1280, 720}, 50}, Ground{{1280, 720}, 250},
                                         Ground{{1280, 720}, 300}, Ground{{1600, 1000}, 300},
                                         Ground{{1920, 1080}, 50}, Ground{{1920, 1080}, 300},
                                         Ground{{3840, 2160}, 300}),
                         [](const auto& one) {
                           return std::to_string(one.param.size.width) + "text" +
                                  std::to_string(one.param.textSize);
                         });

// On a phone that is held upright, with and without a browser's bars, a caption is read to its end.
TEST(Phone, HasWholeCaptions) {
  for (const shell::PixelSize size : {shell::PixelSize{390, 844}, {390, 664}, {360, 640}})
    for (const char* variant :
         {"interleaved_modulo", "interleaved_contiguous", "sequential", "warp_shuffle"}) {
      WorkbenchUi w({.variant = variant, .size = size}, test::hostServicesWithCycles());
      const auto& rounds = w.session().replay().run()->analysis.launches.front().rounds;
      for (unsigned round = 0; round < rounds.size(); ++round) {
        w.session().apply(session::GoToRound{0, round});
        w.ui().drawFrames(2);
        for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
          if (entry.window == "##transport" && !entry.text.starts_with("Press ")) {  // the hint below it
            EXPECT_FALSE(entry.shortened) << variant << " at " << size.width << ": " << entry.text;
          }
      }
    }
}

}  // namespace
}  // namespace stridescope::views
