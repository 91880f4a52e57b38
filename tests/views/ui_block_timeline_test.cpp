// The Block timeline panel with the marks of a stand-in clock.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

// The segment of warp 2 in its sixth round, stride 16: marks 10 to 12 of 7 times their squares.
TEST(UiBlockTimeline, ASegmentTellsItsWarpAndGoesToItsRound) {
  WorkbenchUi w({}, test::hostServicesWithCycles());
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Block timeline"); });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("Recorded on NVIDIA H100 80GB HBM3")) << w.textsIn("Block timeline");
  EXPECT_TRUE(w.shows("W7", "Block timeline"));
  // Marks 0 to 19: 7 x 361 cycles over the area.
  const auto placeIn = [](ImGuiTestContext* test, double mark, double warp) {
    const ImRect area = test->ItemInfo("//Block timeline/block timeline").RectFull;
    return ImVec2{area.Min.x + area.GetWidth() * float(mark * mark / 361),
                  area.Min.y + area.GetHeight() * float((warp + 0.5) / 8)};
  };
  w.run("point", [&](ImGuiTestContext* test) {
    test->MouseMoveToPos(placeIn(test, 11, 2));
    test->SleepNoSkip(0.5f, 1.0f / 60);
    IM_CHECK(test::tooltipIsShown());
  });
  const auto hover = w.session().replay().hover();
  ASSERT_TRUE(hover);
  EXPECT_EQ(*hover, (session::Hover{session::HoverKind::Warp, 2}));
  w.run("click", [&](ImGuiTestContext* test) { test->MouseClick(); });
  w.ui().drawFrames(3);
  EXPECT_EQ(w.session().replay().playhead().round, 5u);
}

TEST(UiBlockTimeline, TheSameBlockInAFullGridIsATabAway) {
  WorkbenchUi w({}, test::hostServicesWithCycles());
  w.run("open", [](ImGuiTestContext* test) {
    test->WindowFocus("//Block timeline");
    test->Yield(3);
    test->ItemClick("//Block timeline/in a full grid");
  });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("n = 2^24", "Block timeline")) << w.textsIn("Block timeline");
  EXPECT_TRUE(w.shows("with clocks", "Block timeline"));
}

// W2's share of stride 8: marks 8 to 10.
TEST(UiBlockTimeline, TheRoundsTextHasTheWarps) {
  WorkbenchUi w({}, test::hostServicesWithCycles());
  w.apply(session::ShowOverlay{session::Overlay::RoundText});
  w.run("copy", [](ImGuiTestContext* test) {
    test->SetRef("Text of this round");
    test->ItemClick("**/Copy");
    const std::string text = ImGui::GetClipboardText();
    IM_CHECK_NE(text.find("W2 works 119 cycles, then waits 133 at the barrier"), std::string::npos);
  });
}

TEST(UiBlockTimeline, WithoutClocksASentenceSaysSo) {
  WorkbenchUi w;
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Block timeline"); });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("No cycles are recorded of this kernel", "Block timeline"))
      << w.textsIn("Block timeline");
}

}  // namespace
}  // namespace stridescope::views
