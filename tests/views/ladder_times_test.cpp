// What the Ladder panel says of times, held against the formula that they were made by.
#include "views/shared/ladder_times.h"

#include <gtest/gtest.h>

#include "imgui_internal.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "timings_fixture.h"
#include "views/measure/timings_plot.h"
#include "views/source/source_lines.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

constexpr TimingFilter kInts{
    .type = model::ElementType::Int, .op = model::Operator::Add, .elements = 1u << 24};

measure::TimingSeries seriesOf(const std::string& variant, measure::SeriesSource source,
                               const std::string& device, double microseconds) {
  measure::TimingSeries series;
  series.subject = {model::SubjectKind::Variant, variant};
  series.source = source;
  series.executor.device = device;
  measure::TimingPoint point;
  point.timingCase.elements = kInts.elements;
  point.time.count = 11;
  point.time.median = microseconds;
  series.points.push_back(point);
  return series;
}

LadderTimes timesOf(std::vector<measure::TimingSeries> series) {
  auto snapshot = std::make_shared<measure::TimingSnapshot>();
  snapshot->series = std::move(series);
  return ladderTimes(timingsPicture(snapshot, kInts));
}

TEST(LadderTimes, AreTheMediansOfTheLadderTab) {
  const auto board = test::handMadeBoard();
  board->showRecorded(test::handMadeRecords());
  const LadderTimes times = ladderTimes(timingsPicture(board->snapshot(), kInts));
  EXPECT_EQ(times.rungs.size(), 12u) << "the twelve that were recorded; neither peers nor the CPU";
  const double first = test::handMadeTime({model::SubjectKind::Variant, "interleaved_modulo"}, 1u << 24);
  for (const RungTime& rung : times.rungs) {
    const double us = test::handMadeTime({model::SubjectKind::Variant, rung.variant}, 1u << 24);
    EXPECT_NEAR(rung.amount, us, us * 1e-6) << rung.variant;
    EXPECT_NEAR(rung.share, us / first, 1e-6) << rung.variant;
    EXPECT_TRUE(rung.recorded);
  }
  EXPECT_EQ(times.find("k_way_merge"), nullptr);
  EXPECT_EQ(originOf(times, "Filled", "Outlined"), "Recorded on Hand-made GPU, n = 2^24");
}

TEST(LadderTimes, ALiveTimeGoesBeforeARecordedOneAndBothAreNamed) {
  const LadderTimes times = timesOf({seriesOf("sequential", measure::SeriesSource::Live, "Here", 80),
                                     seriesOf("sequential", measure::SeriesSource::Recorded, "There", 100),
                                     seriesOf("warp_shuffle", measure::SeriesSource::Recorded, "There", 40)});
  ASSERT_EQ(times.rungs.size(), 2u);
  EXPECT_EQ(times.find("sequential")->amount, 80);
  EXPECT_FALSE(times.find("sequential")->recorded);
  EXPECT_TRUE(times.find("warp_shuffle")->recorded);
  EXPECT_EQ(times.find("warp_shuffle")->share, 0.5) << "all bars have one scale";
  EXPECT_EQ(originOf(times, "Filled", "Outlined"),
            "Filled: measured here on Here. Outlined: recorded on There. All: n = 2^24");
  const LadderTimes live = timesOf({seriesOf("sequential", measure::SeriesSource::Live, "Here", 80)});
  EXPECT_EQ(originOf(live, "Filled", "Outlined"), "Measured here on Here, n = 2^24");
}

TEST(LadderTimes, OfSeveralRecordingsOneDeviceIsShown) {
  const LadderTimes times = timesOf({seriesOf("sequential", measure::SeriesSource::Recorded, "One", 100),
                                     seriesOf("warp_shuffle", measure::SeriesSource::Recorded, "Other", 40),
                                     seriesOf("sequential", measure::SeriesSource::Recorded, "Other", 70)});
  ASSERT_EQ(times.rungs.size(), 1u);
  EXPECT_EQ(times.rungs.front().amount, 100);
  EXPECT_EQ(originOf(times, "Filled", "Outlined"), "Recorded on One, n = 2^24");
}

// What is no rung of the ladder may take a hundred times as long.
TEST(LadderTimes, TheLaddersLongestIsAFullBar) {
  const LadderTimes times = timesOf({seriesOf("sequential", measure::SeriesSource::Recorded, "One", 100),
                                     seriesOf("warp_shuffle", measure::SeriesSource::Recorded, "One", 25),
                                     seriesOf("k_way_merge", measure::SeriesSource::Recorded, "One", 5000)});
  EXPECT_EQ(times.find("sequential")->share, 1);
  EXPECT_EQ(times.find("warp_shuffle")->share, 0.25);
  EXPECT_EQ(times.find("k_way_merge")->share, 50);
}

TEST(LadderTimes, NothingTimedIsNothingSaid) {
  EXPECT_TRUE(timesOf({}).rungs.empty());
  EXPECT_EQ(ladderTimesText(timesOf({})), "");
}

TEST(LadderTimes, AsTextTheyAreALineAVariant) {
  const std::string text = ladderTimesText(
      timesOf({seriesOf("sequential", measure::SeriesSource::Live, "Here", 80),
               seriesOf("warp_shuffle", measure::SeriesSource::Recorded, "NVIDIA H100 80GB HBM3", 12345.6)}));
  EXPECT_EQ(text,
            "  4 sequential      80.0 µs  #\n"
            "  9 warp shuffle  12\u202F346 µs  --------------------\n"
            "#: measured here on Here. -: recorded on NVIDIA H100 80GB HBM3. All: n = 2^24\n");
  for (const std::string& line : splitLines(text))
    EXPECT_LE(narration::charactersIn(line), narration::kTextColumns);
}

// These tests look at the times in the window.

TEST(LadderTimesUi, StandUnderTheVariantsAndSayWhoseTheyAre) {
  const auto board = test::handMadeBoard();
  board->showRecorded(test::handMadeRecords());
  WorkbenchUi w({}, test::timedServices(board, false));
  const LadderTimes& times = w.workbench().times().rungs;
  ASSERT_EQ(times.rungs.size(), 12u);
  std::string shown = w.textsIn("");
  std::ranges::replace(shown, '\n', ' ');
  EXPECT_NE(shown.find("Recorded on Hand-made GPU, n = 2^24"), std::string::npos);
  const double us = test::handMadeTime({model::SubjectKind::Variant, "interleaved_contiguous"}, 1u << 24);
  const std::string time = microsecondsText(us) + " µs";
  for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
    if (entry.text == time && entry.window.find("variants") != std::string::npos) return;
  FAIL() << time << " is not in the list of variants:\n" << shown;
}

TEST(LadderTimesUi, AreFollowedWhileTheyAreMeasured) {
  const auto board = test::handMadeBoard();
  WorkbenchUi w({}, test::timedServices(board, true));
  EXPECT_TRUE(w.workbench().times().rungs.rungs.empty());
  EXPECT_EQ(w.textsIn("").find("µs"), std::string::npos) << "nothing where there is no time";
  w.session().apply(session::StartTiming{});
  test::waitUntilStill(*board);
  w.settle();
  std::string shown = w.textsIn("");
  std::ranges::replace(shown, '\n', ' ');
  EXPECT_NE(shown.find("Measured here on Hand-made GPU, n = 2^24"), std::string::npos) << shown;
}

TEST(LadderTimesUi, AreInTheTextOfTheRound) {
  const auto board = test::handMadeBoard();
  board->showRecorded(test::handMadeRecords());
  WorkbenchUi w({}, test::timedServices(board, false));
  w.apply(session::ShowOverlay{session::Overlay::RoundText});
  std::string text;
  w.run("copy", [&](ImGuiTestContext* test) {
    test->ItemClick("//Text of this round/Copy");
    test->Yield(2);
    text = ImGui::GetClipboardText();  // the test's only as long as this runs
  });
  EXPECT_NE(text.find("\nLadder\n"), std::string::npos) << text;
  EXPECT_NE(text.find("Recorded on Hand-made GPU, n = 2^24"), std::string::npos) << text;
}

// The clock stands in: alone, a mark every 7 times the square of its number.
TEST(LadderCyclesUi, StandInPlaceOfTheTimesOnATab) {
  WorkbenchUi w({}, test::hostServicesWithCycles());
  w.run("choose", [](ImGuiTestContext* test) { test->ItemClick("//Ladder/cycles"); });
  w.ui().drawFrames(3);
  const LadderTimes cycles = ladderCycles(w.session().replay());
  const RungTime* const rung = cycles.find("sequential");
  ASSERT_NE(rung, nullptr);
  // The ten rounds of 256 threads: a first mark, two for each of the nine barriers, a last: number 19.
  EXPECT_EQ(rung->amount, 7 * 19 * 19);
  EXPECT_EQ(amountOf(cycles, *rung), "2527 cycles");
  std::string shown = w.textsIn("Ladder");
  std::ranges::replace(shown, '\n', ' ');
  EXPECT_NE(shown.find("one block of 256 threads alone"), std::string::npos) << shown;
  EXPECT_NE(ladderTimesText(cycles).find("2527 cycles"), std::string::npos);
}

TEST(LadderCycles, WithoutClocksThereIsNoTab) {
  WorkbenchUi w;
  EXPECT_TRUE(ladderCycles(w.session().replay()).rungs.empty());
  w.run("look", [](ImGuiTestContext* test) { IM_CHECK(!test->ItemExists("//Ladder/cycles")); });
}

}  // namespace
}  // namespace stridescope::views
