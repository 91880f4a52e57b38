// The Why panel with costs made by hand (support/grid_records.h).
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

TEST_F(UiWhy, TellsThePartsAndWhoseTheyAre) {
  const std::string text = spoken(w);
  EXPECT_NE(text.find("launching 30.0 µs"), std::string::npos) << text;
  EXPECT_NE(text.find("the rest 70.0 µs"), std::string::npos) << "3072 elements take memory no time";
  EXPECT_NE(text.find("70 % of the time is neither launching nor memory."), std::string::npos) << text;
  EXPECT_NE(text.find("Recorded on NVIDIA H100 80GB HBM3: n = 3072"), std::string::npos) << text;
}

TEST_F(UiWhy, TellsTheFormulaOnHover) {
  w.run("point", [](ImGuiTestContext* test) {
    test->MouseMove("//Why/**/part launching");
    test->SleepNoSkip(0.7f, 1.0f / 60);
    IM_CHECK(test::tooltipIsShown());
  });
}

TEST_F(UiWhy, TellsWhatChangedFromTheVariantBefore) {
  w.run("tab", [](ImGuiTestContext* test) { test->ItemClick("//Why/what changed"); });
  w.ui().drawFrames(2);
  const std::string text = spoken(w);
  EXPECT_NE(text.find("2 launches"), std::string::npos) << text;
  EXPECT_NE(text.find("launching, empty (largest cause)"), std::string::npos) << text;
  EXPECT_NE(text.find("77 % of the time: launching was the limit."), std::string::npos) << text;
}

TEST_F(UiWhy, IsInTheRoundsText) {
  w.apply(session::ShowOverlay{session::Overlay::RoundText});
  w.run("copy", [](ImGuiTestContext* test) {
    test->SetRef("Text of this round");
    test->ItemClick("**/Copy");
    const std::string text = ImGui::GetClipboardText();
    IM_CHECK_NE(text.find("100.0 µs - 30.0 µs of launching"), std::string::npos);
  });
}

TEST(UiWhyWithout, ASentenceSaysThatNothingIsKnown) {
  WorkbenchUi w;
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Why"); });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("Nothing is recorded of what this kernel's time", "Why")) << w.textsIn("Why");
}

}  // namespace
}  // namespace stridescope::views
