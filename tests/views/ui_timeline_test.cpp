// The Timeline panel with a grid made by hand (support/grid_records.h): 4 SMs with 2 places, 12 blocks and 1.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

struct UiTimeline : testing::Test {
  UiTimeline() {
    w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Timeline"); });
    w.ui().drawFrames(3);
  }
  const draw::PaintedGrid& grid() { return *w.ui().findGrid("timeline"); }
  // Where a block is drawn: `share` of the time, and the middle of a row.
  ImVec2 at(float share, float row, float rows) {
    const draw::PaintedGrid& painted = grid();
    return {painted.min.x + (painted.max.x - painted.min.x) * share,
            painted.min.y + (painted.max.y - painted.min.y) * (row + 0.5f) / rows};
  }
  WorkbenchUi w{{.variant = "sequential", .elements = 3072}, test::hostServicesWithGrids()};
};

TEST_F(UiTimeline, HasARowForEachMultiprocessorAndTellsTheLaunch) {
  EXPECT_EQ(grid().rows, 4);
  const std::string shown = w.textsIn("Timeline");
  EXPECT_NE(shown.find("Launch 0 (2 in all): 12 blocks of 256 threads"), std::string::npos) << shown;
  EXPECT_NE(shown.find("launch 0, 2.00 µs"), std::string::npos) << shown;
  EXPECT_NE(shown.find("1 to 2 blocks at once on an SM"), std::string::npos) << shown;
  // 5000 ns wide: nothing before 1000 ns, all places filled after it.
  EXPECT_EQ(grid().cells[std::size_t(grid().columns) / 10], 0);
  EXPECT_EQ(grid().cells[std::size_t(grid().columns) * 3 / 10], 255);
}

TEST_F(UiTimeline, TellsTheBlockUnderThePointerAndInspectsItOnAClick) {
  const ImVec2 place = at(0.5f, 0, 4);  // 2500 ns, SM 0: blocks 8 and 9
  w.run("point and click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos({place.x, place.y + 3});
    test->SleepNoSkip(0.7f, 1.0f / 60);
    IM_CHECK(test::tooltipIsShown());
    test->MouseClick();
  });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().block, 9u);
  EXPECT_EQ(w.session().replay().launch().recorded().block, 9u);
}

TEST_F(UiTimeline, ShowsOneMultiprocessorWithItsPlaces) {
  w.run("one", [](ImGuiTestContext* test) { test->ItemClick("//Timeline/SM 0"); });
  w.ui().drawFrames(2);
  EXPECT_EQ(grid().rows, 2);
  w.run("next", [](ImGuiTestContext* test) {
    test->ItemClick("//Timeline/>");
    test->ItemClick("//Timeline/>");
  });
  w.ui().drawFrames(2);
  EXPECT_TRUE(w.shows("SM 2", "Timeline")) << w.textsIn("Timeline");
  const ImVec2 place = at(0.3f, 1, 2);  // 1500 ns, the second place of SM 2: block 5
  w.run("click", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(place);
    test->MouseClick();
  });
  w.settle();
  EXPECT_EQ(w.session().replay().launch().recorded().block, 5u);
  EXPECT_EQ(grid().cells[std::size_t(grid().columns) * 13 / 10], 3) << "the inspected block stands out";
}

TEST_F(UiTimeline, ZoomsAboutThePointerAndFits) {
  const ImVec2 place = at(0.5f, 0, 4);
  w.run("zoom", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(place);
    test->MouseWheelY(1);
    test->MouseWheelY(1);
  });
  w.ui().drawFrames(2);
  // A quarter of the run about 2500 ns: 1875 to 3125.
  const auto& cells = grid().cells;
  EXPECT_EQ(cells[0], 255);
  EXPECT_EQ(cells[std::size_t(grid().columns) - 1], 0);
  w.run("fit", [](ImGuiTestContext* test) { test->KeyPress(ImGuiKey_F); });
  w.ui().drawFrames(2);
  EXPECT_EQ(grid().cells[0], 0);
}

TEST_F(UiTimeline, IsMadeOnceAndNotInEveryFrame) {
  const auto before = w.ui().runner().grids().painted().size();
  w.ui().drawFrames(5);
  EXPECT_EQ(w.ui().runner().grids().painted().size(), before);
}

TEST_F(UiTimeline, OffersTheSizesThatAreRecorded) {
  w.apply(session::Choose::elements(1024));
  EXPECT_NE(w.textsIn("Timeline").find("No timeline is recorded"), std::string::npos);
  w.run("choose", [](ImGuiTestContext* test) { test->ItemClick("//Timeline/n = 3072"); });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().elements, 3072u);
  EXPECT_NE(w.ui().findGrid("timeline"), nullptr);
}

TEST_F(UiTimeline, IsInTheRoundsText) {
  w.apply(session::ShowOverlay{session::Overlay::RoundText});
  w.run("copy", [](ImGuiTestContext* test) {
    test->SetRef("Text of this round");
    test->ItemClick("**/Copy");
    const std::string text = ImGui::GetClipboardText();
    IM_CHECK_NE(text.find("between launches 0 and 1    3.00 µs to 4.00 µs, 1.00 µs"), std::string::npos);
  });
}

TEST(UiTimelineKeys, GoThroughMultiprocessorsAndBlocks) {
  WorkbenchUi w{{.variant = "sequential", .elements = 3072}, test::hostServicesWithGrids()};
  w.apply(session::FocusPart{"timeline"});
  w.run("walk", [](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_DownArrow);
    test->KeyPress(ImGuiKey_DownArrow);
    test->KeyPress(ImGuiKey_Enter);
  });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("SM 1", "Timeline")) << w.textsIn("Timeline");
  w.run("choose a block", [](ImGuiTestContext* test) {
    test->KeyPress(ImGuiKey_RightArrow);
    test->KeyPress(ImGuiKey_UpArrow);
    test->KeyPress(ImGuiKey_LeftArrow);
    test->KeyPress(ImGuiKey_LeftArrow);
    test->KeyPress(ImGuiKey_Enter);
  });
  w.settle();
  EXPECT_EQ(w.session().replay().launch().recorded().block, 2u)
      << "the first block of the first place of SM 1";
}

}  // namespace
}  // namespace stridescope::views
