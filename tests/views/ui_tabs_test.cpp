// Tabs that open by themselves for what the caption speaks of, and those that do not.
#include <gtest/gtest.h>

#include <set>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

constexpr shell::PixelSize kNarrow{1280, 720};

bool isInFront(WorkbenchUi& w, const char* panel) {
  w.ui().drawFrames(8);
  const PanelArea area = w.workbench().areaOf(panel);
  return area.max.x > area.min.x;
}

// Stride 8 of the contiguous rung has conflicts and full warps, the modulo rung's has partial warps and none.
TEST(UiTabs, ThePanelOfTheCaptionOpensByItself) {
  WorkbenchUi banks({.variant = "interleaved_contiguous", .round = 4, .size = kNarrow});
  EXPECT_TRUE(isInFront(banks, "banks"));
  EXPECT_FALSE(isInFront(banks, "lanes"));
  WorkbenchUi lanes({.variant = "interleaved_modulo", .round = 4, .size = kNarrow});
  EXPECT_TRUE(isInFront(lanes, "lanes"));
  lanes.apply(session::Choose(&model::Experiment::variant, "interleaved_contiguous"));
  lanes.settle();
  lanes.apply(session::GoToRound{0, 4});
  EXPECT_TRUE(isInFront(lanes, "banks"));
}

TEST(UiTabs, WithLargeTextToo) {
  for (const auto& [size, scale] :
       {std::pair{kNarrow, 1.25f}, std::pair{kNarrow, 1.5f}, std::pair{shell::PixelSize{1400, 1100}, 1.5f}}) {
    WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = size, .scale = scale});
    EXPECT_TRUE(isInFront(w, "banks")) << scale;
    EXPECT_TRUE(isInFront(w, "shared_memory")) << scale;
  }
}

// What was in front is in front again after another mode's panels.
TEST(UiTabs, StayThroughAnotherMode) {
  for (const char* panel : {"timings", "counters", "machine_code"}) {
    WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = {1600, 1000}});
    w.apply(session::ShowPanel{panel});
    ASSERT_TRUE(isInFront(w, panel)) << panel;
    w.apply(session::EnterMode{session::Mode::Predict});
    w.ui().drawFrames(8);
    w.apply(session::EnterMode{session::Mode::Explore});
    w.ui().drawFrames(8);
    EXPECT_TRUE(isInFront(w, panel)) << panel;
  }
}

// Also where the caption speaks of the tab beside it, which would open by itself.
TEST(UiTabs, WhatWasChosenStaysThroughOtherModes) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = kNarrow});
  w.apply(session::ShowPanel{"divergence"});
  ASSERT_TRUE(isInFront(w, "divergence"));
  for (const session::Mode mode : {session::Mode::Predict, session::Mode::Compare, session::Mode::Present}) {
    w.apply(session::EnterMode{mode});
    w.ui().drawFrames(20);
    w.apply(session::EnterMode{session::Mode::Explore});
    w.ui().drawFrames(20);
    EXPECT_TRUE(isInFront(w, "divergence")) << session::factsOf(mode).name;
    w.apply(session::GoToRound{0, 3});
    w.apply(session::GoToRound{0, 4});
    EXPECT_TRUE(isInFront(w, "divergence")) << session::factsOf(mode).name;
  }
  w.apply(session::ResetLayout{});
  EXPECT_TRUE(isInFront(w, "banks"));
}

std::vector<std::string> tabsBeside(const char* title) {
  const ImGuiWindow* const window = ImGui::FindWindowByName(title);
  std::vector<std::string> names;
  if (window == nullptr || window->DockNode == nullptr || window->DockNode->TabBar == nullptr) return names;
  for (const ImGuiTabItem& tab : window->DockNode->TabBar->Tabs)
    names.emplace_back(ImGui::TabBarGetTabName(window->DockNode->TabBar, const_cast<ImGuiTabItem*>(&tab)));
  return names;
}

// The tabs of all places, each place by the panel that is in front.
std::vector<std::string> allTabs() {
  std::set<const ImGuiDockNode*> nodes;
  std::vector<std::string> places;
  for (const Panel& panel : allPanels()) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(panel.title.c_str());
    if (window == nullptr || !window->WasActive || window->DockNode == nullptr) continue;
    const ImGuiDockNode* const node = window->DockNode;
    if (!nodes.insert(node).second) continue;
    std::string place = node->VisibleWindow == nullptr ? "" : node->VisibleWindow->Name;
    for (const std::string& name : tabsBeside(panel.title.c_str())) place += " | " + name;
    places.push_back(place);
  }
  return places;
}

// With the texts of a first start, and after it; in the layout of small windows and in that of large ones.
TEST(UiTabs, StandAsBeforeAfterEachModeOfAFirstStart) {
  using session::Mode, session::Overlay;
  for (const auto size : {shell::PixelSize{1366, 768}, shell::PixelSize{1600, 1000}})
    for (const Overlay text : {Overlay::None, Overlay::Welcome, Overlay::Lesson}) {
      SCOPED_TRACE(std::to_string(size.width) + ", text " + std::to_string(int(text)));
      WorkbenchUi w({.variant = "sequential", .round = 1, .size = size});
      if (text != Overlay::None) w.apply(session::ShowOverlay{text});
      const auto enter = [&](Mode mode) {
        w.apply(session::EnterMode{mode});
        w.ui().drawFrames(20);
      };
      w.ui().drawFrames(20);
      const auto before = allTabs();
      ASSERT_NE(std::ranges::find(before, size.width < 1600 ? "Lanes | Lanes | Lane utilization | Banks"
                                                            : "Source | Source | Machine code"),
                before.end());
      enter(Mode::Predict);
      const auto predicted = allTabs();
      for (const Mode away : {Mode::Compare, Mode::Present, Mode::Explore, Mode::Compare, Mode::Present}) {
        enter(away);
        enter(Mode::Predict);
        EXPECT_EQ(allTabs(), predicted) << session::factsOf(away).name;
      }
      enter(Mode::Explore);
      // The texts of the first start have gone, and the Ladder has come back.
      auto explored = allTabs();
      if (text != Overlay::Lesson) std::erase(explored, "Ladder");
      auto expected = before;
      std::erase(expected, "Ladder");
      EXPECT_EQ(explored, expected);
      for (const Mode away : {Mode::Predict, Mode::Compare, Mode::Present}) {
        const auto tabs = allTabs();
        enter(away);
        enter(Mode::Explore);
        EXPECT_EQ(allTabs(), tabs) << session::factsOf(away).name;
      }
    }
}

// The order alone is a person's: sizes go on following the window.
TEST(UiTabs, AnOrderThatWasDraggedStaysThroughAnotherMode) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = {1366, 768}});
  w.ui().drawFrames(8);
  const auto first = tabsBeside("Banks");
  const auto dragToFront = [&](const char* panel) {
    w.run("drag", [&](ImGuiTestContext* test) {
      const ImGuiWindow* const window = ImGui::FindWindowByName(panel);
      ImGuiTabBar* const bar = window->DockNode->TabBar;
      const ImGuiTabItem* const tab = ImGui::TabBarFindTabByID(bar, window->TabId);
      test->MouseMoveToPos({bar->BarRect.Min.x + tab->Offset + tab->Width / 2, bar->BarRect.GetCenter().y});
      test->MouseDown();
      test->MouseMoveToPos({bar->BarRect.Min.x + 4, bar->BarRect.GetCenter().y});
      test->Yield(4);
      test->MouseUp();
      test->MouseMoveToPos({600, 200});
    });
  };
  dragToFront("Banks");
  dragToFront("Timings");
  const auto maps = tabsBeside("Banks"), others = tabsBeside("Timings");
  ASSERT_EQ(maps, (std::vector<std::string>{"Banks", "Lanes", "Lane utilization"}));
  ASSERT_EQ(others.front(), "Timings");
  for (const session::Mode mode : {session::Mode::Predict, session::Mode::Compare, session::Mode::Predict}) {
    w.apply(session::EnterMode{mode});
    w.ui().drawFrames(20);
    w.apply(session::EnterMode{session::Mode::Explore});
    w.ui().drawFrames(20);
    EXPECT_EQ(tabsBeside("Banks"), maps) << session::factsOf(mode).name;
    EXPECT_EQ(tabsBeside("Timings"), others) << session::factsOf(mode).name;
    EXPECT_TRUE(isInFront(w, "timings")) << session::factsOf(mode).name;
  }
  w.apply(session::ResetLayout{});
  w.ui().drawFrames(20);
  EXPECT_EQ(tabsBeside("Banks"), first);
}

// The splitter between the memory and the source, too.
TEST(UiTabs, OrderFrontAndADraggedSplitterStayThroughAnotherMode) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = {1600, 1000}});
  w.run("click", [&](ImGuiTestContext* test) {
    const ImGuiWindow* const window = ImGui::FindWindowByName("Why");
    ImGuiTabBar* const bar = window->DockNode->TabBar;
    const ImGuiTabItem* const tab = ImGui::TabBarFindTabByID(bar, window->TabId);
    test->MouseMoveToPos({bar->BarRect.Min.x + tab->Offset + tab->Width / 2, bar->BarRect.GetCenter().y});
    test->MouseClick();
    test->MouseMoveToPos({600, 300});
  });
  ASSERT_TRUE(isInFront(w, "why"));
  const PanelArea memory = w.workbench().areaOf("shared_memory");
  w.run("drag", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({memory.max.x + 4, (memory.min.y + memory.max.y) / 2});
    test->MouseDragWithDelta({-90, 0});
  });
  w.ui().drawFrames(8);
  const float dragged = w.workbench().areaOf("shared_memory").max.x;
  ASSERT_LT(dragged, memory.max.x - 50);
  const auto tabs = tabsBeside("Why");
  w.run("there and back", [](ImGuiTestContext* test) {
    for (const ImGuiKey key : {ImGuiKey_G, ImGuiKey_E}) {
      test->KeyPress(key);
      test->Yield(20);
    }
  });
  EXPECT_EQ(tabsBeside("Why"), tabs);
  EXPECT_TRUE(isInFront(w, "why"));
  EXPECT_NEAR(w.workbench().areaOf("shared_memory").max.x, dragged, 2);
  session::Settings settings = w.session().app().settings();
  settings.textSize = 130;
  w.apply(session::ChangeSettings{settings});
  w.ui().drawFrames(12);
  EXPECT_EQ(tabsBeside("Why"), tabs) << "in the columns that were dragged";
  EXPECT_LT(w.workbench().areaOf("shared_memory").max.x, dragged + 4)
      << "what is beside it grows with the text";
}

// The gap left of the Source, to the left as far as it goes: Banks, which ends there, keeps a width to be
// read in.
TEST(UiTabs, AGapThatIsDraggedCrushesNoPanel) {
  for (const float scale : {1.0f, 1.25f})
    for (const ImVec2 by : {ImVec2{-1200, 0}, ImVec2{1200, 0}}) {
      WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = {1800, 1100}, .scale = scale});
      const PanelArea memory = w.workbench().areaOf("shared_memory");
      w.run("drag", [&](ImGuiTestContext* test) {
        test->MouseMoveToPos({memory.max.x + 4, (memory.min.y + memory.max.y) / 2});
        test->MouseDragWithDelta(by);
      });
      w.ui().drawFrames(8);
      EXPECT_NE(w.workbench().areaOf("shared_memory").max.x, memory.max.x);
      for (const Panel& panel : allPanels()) {
        const PanelArea area = w.workbench().areaOf(panel.id);
        if (area.max.x <= area.min.x) continue;
        EXPECT_GE(area.max.x - area.min.x, 176 * scale) << panel.id << " at " << scale << ", " << by.x;
      }
    }
}

TEST(UiTabs, NoPanelScrollsUpTo180Percent) {
  for (const auto& [size, most] : {std::pair{kNarrow, 1.8f}, std::pair{shell::PixelSize{1600, 1000}, 1.8f}})
    for (float scale = 1; scale <= most + 0.01f; scale += 0.1f) {
      WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = size, .scale = scale});
      for (const Panel& panel : allPanels()) {
        w.apply(session::ShowPanel{panel.id});
        ASSERT_TRUE(isInFront(w, panel.id.c_str())) << panel.id << " at " << scale;
        EXPECT_TRUE(w.hasRoom(panel.title)) << panel.id << " at " << scale << " of " << size.width;
      }
    }
}

// Also when the text grows while the window is open.
TEST(UiTabs, LargerTextLeavesEachPanelItsRoom) {
  for (const auto size : {kNarrow, shell::PixelSize{1600, 1000}}) {
    WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = size});
    for (int percent = 100; percent <= 180; percent += 10) {
      session::Settings settings = w.session().app().settings();
      settings.textSize = percent;
      w.apply(session::ChangeSettings{settings});
      for (const Panel& panel : allPanels()) {
        w.apply(session::ShowPanel{panel.id});
        EXPECT_TRUE(w.hasRoom(panel.title)) << panel.id << " at " << percent << " of " << size.width;
      }
    }
  }
}

// At 200 % there is one place: the Shared memory panel gives way to what the caption speaks of, and comes
// back.
TEST(UiTabs, InTheOnlyPlaceTheyTakeTurns) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = kNarrow, .scale = 2});
  EXPECT_TRUE(isInFront(w, "banks"));
  EXPECT_FALSE(isInFront(w, "shared_memory"));
  w.apply(session::GoToRound{0, 0});  // full warps, no conflict
  EXPECT_TRUE(isInFront(w, "shared_memory"));
  w.apply(session::GoToRound{0, 3});
  EXPECT_TRUE(isInFront(w, "banks"));
  w.apply(session::ShowPanel{"source"});
  w.apply(session::GoToRound{0, 4});
  EXPECT_TRUE(isInFront(w, "source")) << "the person chose it";
}

// Also one that was in front already.
TEST(UiTabs, WhatACommandBringsToTheFrontStays) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 0, .size = kNarrow, .scale = 1.8f});
  ASSERT_TRUE(isInFront(w, "shared_memory"));
  w.apply(session::ShowPanel{"shared_memory"});
  w.apply(session::GoToRound{0, 4});
  EXPECT_TRUE(isInFront(w, "shared_memory"));
}

TEST(UiTabs, WhatThePersonChoseStays) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = kNarrow});
  ASSERT_TRUE(isInFront(w, "banks"));
  w.apply(session::ShowPanel{"divergence"});
  EXPECT_TRUE(isInFront(w, "divergence"));
  for (const unsigned round : {3u, 2u, 4u}) {
    w.apply(session::GoToRound{0, round});
    EXPECT_TRUE(isInFront(w, "divergence")) << round;
  }
  w.apply(session::ResetLayout{});
  EXPECT_TRUE(isInFront(w, "banks")) << "the layout is new";
}

TEST(UiTabs, AClickOnATabIsAChoice) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = kNarrow});
  ASSERT_TRUE(isInFront(w, "banks"));
  const ImGuiDockNode* const node = ImGui::FindWindowByName("Banks")->DockNode;
  ASSERT_NE(node, nullptr);
  const ImRect bar = node->TabBar->BarRect;
  const float x = bar.Min.x + node->TabBar->Tabs[0].Offset + node->TabBar->Tabs[0].Width / 2;
  w.run("click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({x, bar.GetCenter().y});
    test->MouseClick();
    test->Yield(4);
  });
  ASSERT_FALSE(isInFront(w, "banks"));
  w.apply(session::GoToRound{0, 3});
  EXPECT_FALSE(isInFront(w, "banks"));
}

TEST(UiTabs, TheFocusStaysWhereItIs) {
  WorkbenchUi w({.variant = "interleaved_modulo", .round = 4, .size = kNarrow});
  ASSERT_TRUE(isInFront(w, "lanes"));
  const auto focused = [] {
    const ImGuiWindow* const window = ImGui::GetCurrentContext()->NavWindow;
    return window == nullptr ? std::string() : std::string(window->RootWindow->Name);
  };
  w.run("focus", [&](ImGuiTestContext* test) { test->WindowFocus("//Shared memory"); });
  const std::string before = focused();
  w.apply(session::Choose(&model::Experiment::variant, "interleaved_contiguous"));
  w.settle();
  w.apply(session::GoToRound{0, 4});
  ASSERT_TRUE(isInFront(w, "banks"));
  EXPECT_EQ(focused(), before);
}

// Another mode's panels had the focus meanwhile, and come behind these.
TEST(UiTabs, WhatIsClosedLeavesTheTabsAsTheyWere) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 4, .size = kNarrow});
  ASSERT_TRUE(isInFront(w, "source"));
  for (const session::Mode mode : {session::Mode::Predict, session::Mode::Compare}) {
    w.apply(session::EnterMode{mode});
    w.settle();
    w.apply(session::EnterMode{session::Mode::Explore});
    ASSERT_TRUE(isInFront(w, "source"));
    for (const session::Overlay overlay : {session::Overlay::Palette, session::Overlay::Keys}) {
      w.apply(session::ShowOverlay{overlay});
      w.ui().drawFrames(4);
      w.apply(session::ShowOverlay{overlay});
      EXPECT_TRUE(isInFront(w, "source")) << int(mode) << int(overlay);
    }
  }
}

// The modulo rung's load has full warps and no conflict: as the tab in front shows something of it, it stays.
TEST(UiTabs, PlayingDoesNotFlicker) {
  WorkbenchUi w({.variant = "interleaved_contiguous", .round = 0, .size = kNarrow});
  w.apply(session::SetSpeed{8});
  w.apply(session::TogglePlay{});
  int changes = 0;
  std::string front;
  for (int frame = 0; frame < 600 && w.session().replay().playing(); ++frame) {
    w.ui().drawFrames(1);
    for (const char* panel : {"lanes", "divergence", "banks"}) {
      const PanelArea area = w.workbench().areaOf(panel);
      if (area.max.x <= area.min.x || front == panel) continue;
      if (!front.empty()) ++changes;
      front = panel;
    }
  }
  EXPECT_LE(changes, 1);
}

}  // namespace
}  // namespace stridescope::views
