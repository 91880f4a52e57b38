// The Machine code panel with a listing made by hand (support/grid_records.h).
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "support/grid_records.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::spoken;
using test::WorkbenchUi;

struct UiMachineCode : testing::Test {
  UiMachineCode() { w.ui().drawFrames(3); }
  void open() {
    w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Machine code"); });
    w.ui().drawFrames(3);
  }
  WorkbenchUi w{{.variant = "sequential", .elements = 3072}, test::hostServicesWithGrids()};
};

TEST_F(UiMachineCode, IsOneClickFromLaneUtilization) {
  w.run("click", [&](ImGuiTestContext* test) {
    test->ItemClick("//Lane utilization/machine code link");
    test->Yield(3);
    const ImGuiWindow* const window = ImGui::FindWindowByName("Machine code");
    IM_CHECK(window != nullptr && window->DockTabIsVisible);
  });
}

TEST_F(UiMachineCode, ShowsTheListingAndWhatOfItIsOfTheRound) {
  open();
  w.apply(session::GoToRound{0, 1});
  w.settle();
  std::string text = spoken(w);
  EXPECT_NE(text.find("LDG.E"), std::string::npos) << text;
  EXPECT_NE(text.find("@!P1"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "The lines of this round: 2 instructions, 1 of them predicated, and 1 branch with a predicate, the "
          "kind that can diverge. SASS for sm_90, compiled by NVRTC 13.0; recorded on NVIDIA H100 80GB "
          "HBM3."),
      std::string::npos)
      << text;
  w.apply(session::GoToRound{0, 0});
  w.settle();
  text = spoken(w);
  EXPECT_NE(
      text.find("The lines of this round: 2 instructions, and no branch with a predicate: none can diverge."),
      std::string::npos)
      << text;
}

TEST_F(UiMachineCode, HasATooltipOfTheLineOfTheText) {
  open();
  EXPECT_TRUE(w.hasTooltip("BAR.SYNC.DEFER_BLOCKING", "Machine code"));
}

TEST(UiMachineCodeAlone, SaysWhyThereIsNone) {
  WorkbenchUi w{{.variant = "sequential"}};
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Machine code"); });
  w.ui().drawFrames(3);
  EXPECT_NE(spoken(w).find("No machine code is recorded of this kernel"), std::string::npos) << spoken(w);
}

}  // namespace
}  // namespace stridescope::views
