// The Why panel with costs and prices made by hand (support/grid_records.h).
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::spoken;
using test::WorkbenchUi;

struct UiWhy : testing::Test {
  UiWhy() {
    w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Why"); });
    w.ui().drawFrames(3);
  }
  WorkbenchUi w{{.variant = "sequential", .elements = 3072}, test::hostServicesWithGrids()};
};

TEST_F(UiWhy, TellsThePricesTheBoundsAndWhoseTheyAre) {
  const std::string text = spoken(w);
  EXPECT_NE(text.find("The write costs most: 40.0 µs of 95.0 µs."), std::string::npos) << text;
  EXPECT_NE(text.find("stride 128 3.00 µs"), std::string::npos) << text;
  EXPECT_NE(text.find("instructions issued 0.003 µs"), std::string::npos) << text;
  EXPECT_EQ(text.find("grids that do nothing"), std::string::npos) << "the grid has a price: " << text;
  EXPECT_NE(text.find("Recorded on NVIDIA H100 80GB HBM3: n = 3072"), std::string::npos) << text;
}

TEST_F(UiWhy, TellsTheIntervalOnHover) {
  w.run("point", [](ImGuiTestContext* test) {
    test->MouseMove("//Why/**/row 4 stride 32");
    test->SleepNoSkip(0.7f, 1.0f / 60);
    IM_CHECK(test::tooltipIsShown());
  });
}

TEST_F(UiWhy, StepsAreButtonsToTheirRounds) {
  w.run("click", [](ImGuiTestContext* test) { test->ItemClick("//Why/**/row 4 stride 32"); });
  w.ui().drawFrames(2);
  EXPECT_EQ(w.session().replay().playhead().round, 3u);
  w.run("click the grid",
        [](ImGuiTestContext* test) { test->ItemClick("//Why/**/row 0 grid that does nothing"); });
  w.ui().drawFrames(2);
  EXPECT_EQ(w.session().replay().playhead().round, 3u) << "it is no round";
}

TEST_F(UiWhy, TellsWhatChangedFromTheVariantBefore) {
  w.run("tab", [](ImGuiTestContext* test) { test->ItemClick("//Why/what changed"); });
  w.ui().drawFrames(2);
  const std::string text = spoken(w);
  EXPECT_NE(text.find("77 % of the time: 130.0 µs before, 100.0 µs after."), std::string::npos) << text;
  EXPECT_NE(text.find("The steps differ most in stride 128: 50.0 µs less"), std::string::npos) << text;
  EXPECT_NE(text.find("stride 128 -50.00"), std::string::npos) << text;
}

TEST_F(UiWhy, IsInTheRoundsText) {
  w.apply(session::ShowOverlay{session::Overlay::RoundText});
  w.run("copy", [](ImGuiTestContext* test) {
    test->SetRef("Text of this round");
    test->ItemClick("**/Copy");
    const std::string text = ImGui::GetClipboardText();
    IM_CHECK_NE(text.find("The write costs most: 40.0 µs of 95.0 µs."), std::string::npos);
  });
}

// Where the steps have no prices, the sizes that have them are to be had.
TEST(UiWhyOfOneBlock, SizesWithPricesAreButtons) {
  WorkbenchUi w({.variant = "sequential"}, test::hostServicesWithGrids());
  w.apply(session::ShowPanel{"why"});
  w.ui().drawFrames(3);
  EXPECT_NE(spoken(w).find("The prices of its steps are not known here."), std::string::npos) << spoken(w);
  w.run("click", [](ImGuiTestContext* test) { test->ItemClick("//Why/**/n = 2^20"); });
  w.settle();
  EXPECT_EQ(w.session().workspace().experiment().elements, 1u << 20);
  EXPECT_NE(spoken(w).find("The write costs most"), std::string::npos) << spoken(w);
}

TEST(UiWhyWithout, ASentenceSaysThatNothingIsKnown) {
  WorkbenchUi w;
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Why"); });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("Nothing is recorded of what this kernel's time", "Why")) << w.textsIn("Why");
}

}  // namespace
}  // namespace stridescope::views
