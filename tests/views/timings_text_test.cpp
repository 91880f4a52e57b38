// The texts of the Timings panel, and of the Ladder with its times, at every size that people use, in all
// states.
#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "timings_fixture.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::Ground;
using test::WorkbenchUi;

class TimingsText : public testing::TestWithParam<Ground> {
 protected:
  // Every tab in turn, in front of what shares its place.
  void measure(bool gpu, bool recorded, const test::HandMadeInput& request, const session::Commands& commands,
               const std::string& state) {
    const Ground& ground = GetParam();
    const auto board = test::handMadeBoard(request);
    if (recorded) board->showRecorded(test::handMadeRecords());
    WorkbenchUi w({.size = ground.size, .scale = ground.scale, .settings = ground.settings()},
                  test::timedServices(board, gpu));
    w.session().apply(commands);
    test::waitUntilStill(*board);
    for (const TimingsTab tab :
         {TimingsTab::Live, TimingsTab::Ladder, TimingsTab::BySize, TimingsTab::ByBlock})
      for (const bool second : {false, true}) {
        w.timings().tab = tab;
        w.timings().gigabytes = second;
        w.timings().byTime = second;
        w.apply(session::ShowPanel{"timings"});
        const std::string where = state + ", tab " + std::to_string(int(tab));
        test::expectWellSet(w.ui().texts().entries(), ground.widthUnits(), where);
        EXPECT_FALSE(w.textsIn("Timings").empty()) << where;
      }
    w.apply(session::ShowPanel{"ladder"});
    test::expectWellSet(w.ui().texts().entries(), ground.widthUnits(), state + ", the Ladder's times");
  }
};

const session::Commands kStart{session::StartTiming{session::TimingSweep::OneSize}};

TEST_P(TimingsText, BeforeAStart) { measure(true, false, {}, {}, "idle"); }
TEST_P(TimingsText, LiveOnAGpu) { measure(true, false, {}, kStart, "live"); }
TEST_P(TimingsText, RecordedBesideALiveCpu) { measure(false, true, {}, kStart, "recorded"); }
TEST_P(TimingsText, Failed) {
  measure(true, false, {.failure = "The GPU's driver is too old for timings. Update it to 525 or newer."},
          kStart, "failed");
}

INSTANTIATE_TEST_SUITE_P(Sizes, TimingsText, testing::ValuesIn(test::allGrounds()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace stridescope::views
