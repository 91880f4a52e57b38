// The Counters panel with hand-made counts.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using model::Counter;
using test::WorkbenchUi;

TEST(UiCounters, StandBesideTheModelAndTellTheirMetricOnHover) {
  WorkbenchUi w({}, test::hostServicesWithCounters());
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Counters"); });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("Recorded on NVIDIA H100 80GB HBM3: 1 block of 256 threads.", "Counters"))
      << w.textsIn("Counters");
  EXPECT_TRUE(w.shows("Shared stores, bank conflicts"));
  EXPECT_TRUE(w.shows("1064"));
  EXPECT_TRUE(w.shows("equal"));
  EXPECT_TRUE(w.shows("+4")) << "the difference that is hand-made";
  w.run("point", [](ImGuiTestContext* test) {
    test->MouseMove("//Counters/**/shared_store_conflicts");
    test->SleepNoSkip(0.7f, 1.0f / 60);
    IM_CHECK(test::tooltipIsShown());
  });
}

TEST(UiCounters, AreInTheLaneUtilizationAndInTheRoundsText) {
  WorkbenchUi w({}, test::hostServicesWithCounters());
  std::string shown = w.textsIn("Lane utilization");
  std::ranges::replace(shown, '\n', ' ');
  EXPECT_NE(shown.find("Divergent branch targets measured: 0"), std::string::npos) << shown;
  w.apply(session::ShowOverlay{session::Overlay::RoundText});
  w.run("copy", [](ImGuiTestContext* test) {
    test->SetRef("Text of this round");
    test->ItemClick("**/Copy");
    const std::string text = ImGui::GetClipboardText();
    IM_CHECK_NE(text.find("Shared loads, bank conflicts: 70, modelled 70, equal"), std::string::npos);
    IM_CHECK_NE(text.find("Shared stores, bank conflicts: 39, modelled 35, +4"), std::string::npos);
    IM_CHECK_NE(text.find("Instructions executed: 1064\n"), std::string::npos);
  });
}

TEST(UiCounters, WithoutAnyASentenceSaysSo) {
  WorkbenchUi w;
  w.run("open", [](ImGuiTestContext* test) { test->WindowFocus("//Counters"); });
  w.ui().drawFrames(3);
  EXPECT_TRUE(w.shows("No counters are recorded of this kernel", "Counters")) << w.textsIn("Counters");
}

}  // namespace
}  // namespace stridescope::views
