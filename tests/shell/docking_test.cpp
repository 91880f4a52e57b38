// The default layout's measures, and what happens to them.
#include "shell/docking.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "draw/panel.h"
#include "imgui_internal.h"
#include "shell/default_layout.h"
#include "shell/frame.h"
#include "shell/graphics_context.h"
#include "support/demo_app.h"
#include "support/function_app.h"
#include "support/temporary_folder.h"
#include "support/ui_harness.h"

namespace stridescope::shell {
namespace {

ImVec2 sizeOf(const char* panel) {
  const ImGuiWindow* window = ImGui::FindWindowByName(panel);
  return window == nullptr ? ImVec2(0, 0) : window->Size;
}

void expectSize(const char* panel, float width, float height) {
  EXPECT_NEAR(sizeOf(panel).x, width, 1) << panel;
  EXPECT_NEAR(sizeOf(panel).y, height, 1) << panel;
}

bool shareAPlace(const char* first, const char* second) {
  const ImGuiWindow* a = ImGui::FindWindowByName(first);
  const ImGuiWindow* b = ImGui::FindWindowByName(second);
  return a != nullptr && b != nullptr && a->DockNode != nullptr && a->DockNode == b->DockNode;
}

// The design's, less the six units by which the transport is higher than there: launches are marked on it.
TEST(Docking, TheDefaultLayoutHasTheDesignsMeasures) {
  support::DemoApp app;
  support::UiHarness ui(app, {1600, 1000});
  ui.drawFrames(6);
  expectSize("Ladder", 200, 764 - 6);
  expectSize("Shared memory", 840, 392 - 6);
  expectSize("Lanes", 272, 364);
  expectSize("Divergence", 236, 364);
  expectSize("Banks", 316, 364);
  expectSize("Source", 528, 430 - 6);
  expectSize("Timings", 528, 326);
  EXPECT_FALSE(ui.runner().docks().wasRearranged());
}

TEST(Docking, ItIsTwiceAsLargeOnAMonitorTwiceAsDense) {
  support::DemoApp app;
  support::UiHarness ui(app, {3200, 2000}, 2);
  ui.drawFrames(6);
  expectSize("Ladder", 400, 2 * (764 - 6));
  expectSize("Shared memory", 1680, 2 * (392 - 6));
  expectSize("Source", 1056, 2 * (430 - 6));
  expectSize("Timings", 1056, 2 * 326);
}

TEST(Docking, ANarrowWindowHasTabs) {
  support::DemoApp app;
  support::UiHarness ui(app, {1280, 720});
  ui.drawFrames(6);
  EXPECT_TRUE(shareAPlace("Lanes", "Divergence"));
  EXPECT_TRUE(shareAPlace("Lanes", "Banks"));
  EXPECT_FALSE(shareAPlace("Lanes", "Source"));
  EXPECT_FALSE(shareAPlace("Lanes", "Shared memory"));
  EXPECT_NEAR(sizeOf("Ladder").x, 176, 1);
  EXPECT_NEAR(sizeOf("Source").x, 436, 1) << "its lines and their margin need more than 420";
  EXPECT_TRUE(shareAPlace("Source", "Timings"));
  EXPECT_STREQ(ImGui::FindWindowByName("Lanes")->DockNode->VisibleWindow->Name, "Lanes")
      << "the first is in front";
}

TEST(Docking, ASmallWindowStacksItsTabsUnderSharedMemory) {
  support::DemoApp app;
  support::UiHarness ui(app, {900, 900});
  ui.drawFrames(6);
  for (const char* panel : {"Divergence", "Source", "Timings", "Ladder"})
    EXPECT_TRUE(shareAPlace("Lanes", panel)) << panel;
  EXPECT_FALSE(shareAPlace("Lanes", "Shared memory"));
}

TEST(Docking, ALowOneHasOnePlaceForAll) {
  support::DemoApp app;
  app.look.textSize = 2;
  support::UiHarness ui(app, {1280, 720});
  ui.drawFrames(6);
  for (const char* panel : {"Lanes", "Source", "Timings", "Ladder"})
    EXPECT_TRUE(shareAPlace("Shared memory", panel)) << panel;
  EXPECT_STREQ(ImGui::FindWindowByName("Lanes")->DockNode->VisibleWindow->Name, "Shared memory");
}

// What nobody sized has the layout's size for the text; what a person sized stays.
TEST(Docking, SizesFollowTheTextSizeUntilOneIsDragged) {
  support::DemoApp app;
  support::UiHarness ui(app, {2400, 1500});
  ui.drawFrames(6);
  app.look.textSize = 1.5f;
  ui.drawFrames(6);
  EXPECT_NEAR(sizeOf("Ladder").x, 300, 2);
  ImGuiDockNode* const ladder = ImGui::FindWindowByName("Ladder")->DockNode;
  ladder->SizeRef.x = ladder->Size.x = 420;
  ladder->WantLockSizeOnce = true;
  ui.drawFrames(6);
  app.look.textSize = 1.2f;
  ui.drawFrames(6);
  EXPECT_NEAR(sizeOf("Ladder").x, 420, 2);
}

// In a lower room, and in the old one again.
TEST(Docking, WhatAPersonSizedKeepsItsShareOfTheRoom) {
  support::DemoApp app;
  support::UiHarness ui(app, {1600, 1000});
  ui.drawFrames(9);
  ImGuiDockNode* const timings = ImGui::FindWindowByName("Timings")->DockNode;
  timings->SizeRef.y = timings->Size.y = 226;
  timings->WantLockSizeOnce = true;
  ui.drawFrames(9);
  EXPECT_NEAR(sizeOf("Timings").y, 226, 2);
  const auto share = [] { return sizeOf("Timings").y / (sizeOf("Timings").y + sizeOf("Source").y); };
  const auto shareOfLanes = [] {
    return sizeOf("Lanes").y / (sizeOf("Lanes").y + sizeOf("Shared memory").y);
  };
  const float dragged = share(), other = shareOfLanes();
  for (const float units : {300.0f, 0.0f, 150.0f, 300.0f, 0.0f}) {
    app.messageUnits = units;
    ui.drawFrames(9);
    EXPECT_NEAR(share(), dragged, 0.005) << units;
    EXPECT_NEAR(shareOfLanes(), other, 0.005) << units;
  }
  EXPECT_NEAR(sizeOf("Timings").y, 226, 1) << "nothing is left of what was between";
}

// Whenever it comes, and however often: the panels are then as if it had never been there.
TEST(Docking, AMessageThatGoesLeavesTheLayoutsSizes) {
  for (const int framesBefore : {0, 1, 2, 4, 9}) {
    SCOPED_TRACE(framesBefore);
    support::DemoApp app;
    support::UiHarness ui(app, {1600, 1000});
    ui.drawFrames(framesBefore);
    for (const float units : {44.0f, 0.0f, 80.0f, 44.0f}) {
      app.messageUnits = units;
      ui.drawFrames(9);
      expectSize("Timings", 528, 326);
      expectSize("Source", 528, 424 - units);
    }
    app.messageUnits = 0;
    ui.drawFrames(9);
    expectSize("Ladder", 200, 764 - 6);
    expectSize("Shared memory", 840, 392 - 6);
    expectSize("Lanes", 272, 364);
    expectSize("Source", 528, 430 - 6);
    // A message is no dragging: a greater text still brings the layout's sizes.
    app.look.textSize = 1.2f;
    ui.drawFrames(9);
    EXPECT_NEAR(sizeOf("Ladder").x, 1.2f * 176, 2) << "the narrow layout's";
  }
}

TEST(Docking, WhatAPersonSizedKeepsItsSizeWhenAMessageGoes) {
  support::DemoApp app;
  support::UiHarness ui(app, {1600, 1000});
  ui.drawFrames(9);
  ImGuiDockNode* const ladder = ImGui::FindWindowByName("Ladder")->DockNode;
  ladder->SizeRef.x = ladder->Size.x = 320;
  ladder->WantLockSizeOnce = true;
  ui.drawFrames(9);
  for (const float units : {44.0f, 0.0f}) {
    app.messageUnits = units;
    ui.drawFrames(9);
    EXPECT_NEAR(sizeOf("Ladder").x, 320, 2);
  }
}

TEST(Docking, APanelThatWasDraggedOutComesBackWithReset) {
  support::DemoApp app;
  support::UiHarness ui(app, {1600, 1000});
  ui.drawFrames(6);
  ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Lanes"));
  ui.drawFrames(6);
  EXPECT_TRUE(ui.runner().docks().wasRearranged());
  ui.runner().docks().reset();
  ui.drawFrames(6);
  EXPECT_FALSE(ui.runner().docks().wasRearranged());
  expectSize("Lanes", 272, 364);
}

// A lone panel has no tab: its title line is what a person drags.
TEST(Docking, ATitleLineMovesItsPanel) {
  support::DemoApp app;
  support::UiHarness ui(app, {1600, 1000});
  ui.drawFrames(6);
  ui.run("drag by the title", [](ImGuiTestContext* test) {
    const ImGuiWindow* lanes = ImGui::FindWindowByName("Lanes");
    test->MouseMoveToPos({lanes->Pos.x + 60, lanes->Pos.y + 14});
    test->MouseDragWithDelta({300, -200});
  });
  const ImGuiWindow* lanes = ImGui::FindWindowByName("Lanes");
  EXPECT_TRUE(lanes->DockNode == nullptr || ui.runner().docks().wasRearranged());
}

class KeptLayout : public testing::Test {
 protected:
  std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("stridescope-layout-" + std::to_string(getpid()) + ".ini");
  void TearDown() override { std::filesystem::remove(file_); }

  // Draws a few frames with the layout file; `change` comes in the middle.
  float ladderWidthAfter(void (*change)(FrameRunner&)) {
    NullContext graphics({1600, 1000}, 1);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    EXPECT_TRUE(runner);
    support::DemoApp app;
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
    if (change != nullptr) change(**runner);
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
    return sizeOf("Ladder").x;
  }
};

TEST_F(KeptLayout, KeepsWhatAPersonSized) {
  EXPECT_NEAR(ladderWidthAfter(nullptr), 200, 1);
  ASSERT_TRUE(std::filesystem::exists(file_));
  const float widened = ladderWidthAfter([](FrameRunner&) {
    ImGuiDockNode* ladder = ImGui::FindWindowByName("Ladder")->DockNode;
    ladder->SizeRef.x = ladder->Size.x = 320;
    ladder->WantLockSizeOnce = true;
    ImGui::MarkIniSettingsDirty();
  });
  EXPECT_NEAR(widened, 320, 2);
  EXPECT_NEAR(ladderWidthAfter(nullptr), 320, 2) << "after a new start";
  EXPECT_NEAR(ladderWidthAfter([](FrameRunner& runner) { runner.docks().reset(); }), 200, 1);
}

// What nobody moved suits the window after a new start, too, and keeps the sizes where the layout is the
// same.
TEST_F(KeptLayout, WhatNobodyMovedAdaptsAfterANewStart) {
  const std::vector<PlacedPanel> panels{{"Ladder", {Region::Left}}, {"Shared memory", {Region::Centre}},
                                        {"Lanes", {Region::Below}}, {"Strides", {Region::Below}},
                                        {"Banks", {Region::Below}}, {"Source", {Region::Right}}};
  support::FunctionApp app([&](Frame& frame) {
    const float width = frame.size.x / frame.draw.scale, height = frame.size.y / frame.draw.scale;
    frame.docks.draw(defaultLayoutName(width, height), defaultLayouts(width, height, panels), 0, 0, 8,
                     frame.draw.scale);
    for (const PlacedPanel& panel : panels) draw::Panel(frame.draw, {.name = panel.name.c_str()});
  });
  const auto startIn = [&](PixelSize size, float scale, const auto& change) {
    NullContext graphics(size, scale);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    ASSERT_TRUE(runner);
    for (int i = 0; i < 12; ++i) (*runner)->run(app);
    change();
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
  };
  startIn({1600, 1000}, 1, [] {
    EXPECT_FALSE(shareAPlace("Lanes", "Banks"));
    ImGui::MarkIniSettingsDirty();
  });
  startIn({1280, 720}, 1, [] { EXPECT_TRUE(shareAPlace("Lanes", "Banks")) << "a smaller window"; });
  startIn({1600, 1000}, 1.8f, [] { EXPECT_TRUE(shareAPlace("Lanes", "Source")) << "larger text"; });
  startIn({1600, 1000}, 1, [] {
    EXPECT_FALSE(shareAPlace("Lanes", "Banks"));
    ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Banks"));
    ImGui::MarkIniSettingsDirty();
  });
  startIn({1280, 720}, 1, [] {
    EXPECT_FALSE(shareAPlace("Lanes", "Banks")) << "a person moved it";
    EXPECT_FALSE(shareAPlace("Lanes", "Strides")) << "and so the others keep their places";
  });
}

// A text that stands beside the panels when the window closes is not there at the next start.
TEST_F(KeptLayout, DoesNotHaveWhatStoodBeside) {
  const std::vector<PlacedPanel> panels{
      {"Ladder", {Region::Left}}, {"Shared memory", {Region::Centre}}, {"Source", {Region::Right}}};
  Beside beside;
  support::FunctionApp app([&](Frame& frame) {
    frame.docks.draw("wide", defaultLayouts(frame.size.x, frame.size.y, panels), 0, 0, 8, frame.draw.scale,
                     beside);
    for (const PlacedPanel& panel : panels) draw::Panel(frame.draw, {.name = panel.name.c_str()});
  });
  const auto widthAfterAStart = [&] {
    NullContext graphics({1600, 1000}, 1);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    EXPECT_TRUE(runner);
    beside = {};
    for (int i = 0; i < 8; ++i) (*runner)->run(app);
    const float width = sizeOf("Ladder").x;
    beside = {.px = 400, .shrink = 0.75f};
    for (int i = 0; i < 8; ++i) (*runner)->run(app);
    EXPECT_LT(sizeOf("Ladder").x, width * 0.9f);
    ImGui::MarkIniSettingsDirty();
    return width;
  };
  const float first = widthAfterAStart();
  EXPECT_NEAR(widthAfterAStart(), first, 2);
  EXPECT_NEAR(widthAfterAStart(), first, 2);
}

// A person's layout file from before there was a panel Notes.
TEST_F(KeptLayout, PutsANewPanelBesideItsNeighbours) {
  const std::vector<PlacedPanel> old{
      {"Ladder", {Region::Left}}, {"Lanes", {Region::Centre}}, {"Source", {Region::Right}}};
  std::vector<PlacedPanel> panels = old;
  support::FunctionApp app([&](Frame& frame) {
    frame.docks.draw(defaultLayoutName(frame.size.x, frame.size.y),
                     defaultLayouts(frame.size.x, frame.size.y, panels), 0, 0, 8, 1);
    for (const PlacedPanel& panel : panels) draw::Panel(frame.draw, {.name = panel.name.c_str()});
  });
  const auto start = [&](const auto& change, const auto& look) {
    NullContext graphics({1600, 1000}, 1);
    auto runner = FrameRunner::create(graphics, {.layoutFile = file_});
    ASSERT_TRUE(runner);
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
    change();
    for (int i = 0; i < 6; ++i) (*runner)->run(app);
    look();
  };
  start(
      [] {
        ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), ImGui::FindWindowByName("Source"));
      },
      [] { EXPECT_EQ(ImGui::FindWindowByName("Source")->DockNode, nullptr); });
  panels.push_back({"Notes", {Region::Right}});  // Source, where it would come, is no longer docked
  panels.push_back({"More", {Region::Left}});
  start([] {},
        [] {
          EXPECT_TRUE(shareAPlace("More", "Ladder"));
          EXPECT_NE(ImGui::FindWindowByName("Notes")->DockNode, nullptr);
          EXPECT_EQ(ImGui::FindWindowByName("Source")->DockNode, nullptr) << "a person took it out";
        });
}

// Two groups of panels, of which one is shown.
class Groups : public KeptLayout {
 protected:
  std::vector<PlacedPanel> first_{
      {"Ladder", {Region::Left}}, {"Lanes", {Region::Centre}}, {"Source", {Region::Right}}};
  std::vector<PlacedPanel> second_{{"Lanes", {Region::Left}}, {"Questions", {Region::Right}}};
  std::string group_;
  support::FunctionApp app_{[this](Frame& frame) {
    const std::vector<PlacedPanel>& panels = group_.empty() ? first_ : second_;
    frame.docks.use(group_);
    frame.docks.draw(group_ + defaultLayoutName(frame.size.x, frame.size.y),
                     named(defaultLayouts(frame.size.x, frame.size.y, panels)), 0, 0, 8, 1);
    for (const PlacedPanel& panel : panels) draw::Panel(frame.draw, {.name = panel.name.c_str()});
  }};
  NullContext graphics_{{1600, 1000}, 1};
  std::unique_ptr<FrameRunner> runner_;

  void start() {
    runner_.reset();
    auto runner = FrameRunner::create(graphics_, {.layoutFile = file_});
    ASSERT_TRUE(runner);
    runner_ = *std::move(runner);
    show("");
  }
  void show(const std::string& group) {
    group_ = group;
    for (int i = 0; i < 12; ++i) runner_->run(app_);
  }
  // As a person would, by dragging the edge between it and its neighbour.
  void widen(const char* panel, float width) {
    ImGuiDockNode* const node = ImGui::FindWindowByName(panel)->DockNode;
    node->SizeRef.x = node->Size.x = width;
    node->WantLockSizeOnce = true;
    ImGui::MarkIniSettingsDirty();
    show(group_);
  }
  void takeOut(const char* panel) {
    ImGui::DockContextQueueUndockWindow(ImGui::GetCurrentContext(), ImGui::FindWindowByName(panel));
    show(group_);
  }
  std::vector<NamedLayout> named(std::vector<NamedLayout> layouts) const {
    for (NamedLayout& layout : layouts) layout.name = group_ + layout.name;
    return layouts;
  }
};

TEST_F(Groups, HaveTheirOwnDefaults) {
  start();
  const float lanes = sizeOf("Lanes").x;
  EXPECT_NE(ImGui::FindWindowByName("Lanes")->DockNode, nullptr);
  show("second ");
  EXPECT_NEAR(sizeOf("Lanes").x, 200, 1) << "at the left";
  EXPECT_NE(ImGui::FindWindowByName("Questions")->DockNode, nullptr);
  show("");
  EXPECT_NEAR(sizeOf("Lanes").x, lanes, 1);
  EXPECT_NEAR(sizeOf("Ladder").x, 200, 1);
}

TEST_F(Groups, ComeBackAsTheyWereArranged) {
  start();
  takeOut("Source");
  ASSERT_EQ(ImGui::FindWindowByName("Source")->DockNode, nullptr);
  const float lanes = sizeOf("Lanes").x;
  show("second ");
  widen("Lanes", 320);
  takeOut("Questions");
  show("");
  EXPECT_EQ(ImGui::FindWindowByName("Source")->DockNode, nullptr) << "a person took it out";
  EXPECT_NEAR(sizeOf("Lanes").x, lanes, 2);
  show("second ");
  EXPECT_EQ(ImGui::FindWindowByName("Questions")->DockNode, nullptr);
}

// Also if the window closes while another group is shown, or is killed then.
TEST_F(Groups, TheFileKeepsTheFirstOne) {
  start();
  widen("Ladder", 320);
  show("second ");
  const std::string kept = support::contentsOf(file_);
  EXPECT_NE(kept.find("[Window][Ladder]"), std::string::npos);
  widen("Lanes", 500);
  runner_.reset();
  EXPECT_EQ(support::contentsOf(file_), kept);
  start();
  EXPECT_NEAR(sizeOf("Ladder").x, 320, 2);
}

TEST_F(Groups, TheFileIsWrittenAgainOnceTheFirstIsBack) {
  start();
  show("second ");
  show("");
  widen("Ladder", 320);
  runner_.reset();
  start();
  EXPECT_NEAR(sizeOf("Ladder").x, 320, 2);
}

// Dear ImGui would wait for somebody to write to it.
TEST_F(KeptLayout, ThatIsAPipeIsLeftAlone) {
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_NEAR(ladderWidthAfter([](FrameRunner&) { ImGui::MarkIniSettingsDirty(); }), 200, 1);
  EXPECT_TRUE(std::filesystem::is_fifo(file_));
}

}  // namespace
}  // namespace stridescope::shell
