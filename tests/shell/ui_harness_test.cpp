// The harness itself: it presses what it should, and it can fail.
#include "support/ui_harness.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "support/demo_app.h"

namespace stridescope::shell {
namespace {

TEST(UiHarness, ClicksByLabel) {
  support::DemoApp app;
  support::UiHarness ui(app);
  ui.run("click", [&](ImGuiTestContext* test) {
    test->ItemClick("//Transport/##Play");
    IM_CHECK_EQ(app.clicks, 1);
    test->ItemClick("//Transport/##Play");
  });
  EXPECT_EQ(app.clicks, 2);
}

void runWithUnknownLabel() {
  support::DemoApp app;
  support::UiHarness ui(app);
  ui.run("no such button", [](ImGuiTestContext* test) { test->ItemClick("//Transport/##Fly"); });
}

void runWithFailingCheck() {
  support::DemoApp app;
  support::UiHarness ui(app);
  ui.run("wrong count", [&](ImGuiTestContext*) { IM_CHECK_EQ(app.clicks, 7); });
}

TEST(UiHarness, FailsWhereAnItemIsNotFound) {
  EXPECT_NONFATAL_FAILURE(runWithUnknownLabel(), "no such button");
}

TEST(UiHarness, FailsWhereACheckFails) { EXPECT_NONFATAL_FAILURE(runWithFailingCheck(), "wrong count"); }

TEST(UiHarness, ShowsWhatTheFramePaintedAndWrote) {
  support::DemoApp app;
  support::UiHarness ui(app);
  ui.drawFrames(6);
  const draw::PaintedGrid* lanes = ui.findGrid("lanes");
  ASSERT_NE(lanes, nullptr);
  EXPECT_EQ(lanes->columns, 32);
  EXPECT_EQ(lanes->rows, 8);
  EXPECT_EQ(ui.findGrid("no such map"), nullptr);
  const auto& texts = ui.texts().entries();
  EXPECT_TRUE(std::any_of(texts.begin(), texts.end(),
                          [](const auto& entry) { return entry.text == "Shared memory"; }));
}

TEST(UiHarness, AThousandFramesTakeNoTime) {
  support::DemoApp app;
  support::UiHarness ui(app);
  ui.drawFrames(1000);
  EXPECT_LT(ui.runner().times().summary().medianMs, 5.0);
}

}  // namespace
}  // namespace stridescope::shell
