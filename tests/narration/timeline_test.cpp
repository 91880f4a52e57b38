// Blocks in time, and what time is made of, in words. The hand-made records have round numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/why_sentences.h"
#include "narration/wording.h"
#include "support/grid_records.h"

namespace stridescope::narration {
namespace {

using model::Counter;
using support::roundCost;
using support::smallTimeline;
using testing::HasSubstr;
using testing::Not;

TEST(TimelineSentence, SaysWhoseItIsAndWhatMarkingCosts) {
  const model::TimelineRecord record = smallTimeline();
  EXPECT_EQ(markedRun(MeasuredFrom::Recording, record),
            "Recorded on NVIDIA H100 80GB HBM3, 4 SMs: n = 3072, the run with the median time of 21. 5.00 µs "
            "with a mark of each block, 4.90 µs without.");
  EXPECT_THAT(markedRun(MeasuredFrom::ThisRun, record), testing::StartsWith("Marked on NVIDIA"));
  EXPECT_EQ(markingCost(record), "") << "2 %";
  model::TimelineRecord costly = record;
  costly.markedMicroseconds = 5.5;
  EXPECT_EQ(markingCost(costly), "The marks cost 12 % of the time, so bars are longer than without them.");
}

TEST(TimelineSentence, TellsWavesTheTailAndWhoIsIdle) {
  const model::TimelineRecord record = smallTimeline();
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(record);
  EXPECT_EQ(launchTimes(record, timeline, 0),
            "Launch 1 of 2: 12 blocks of 256 threads, 1.5 waves of the 8 that fit at once, in 2.00 µs. "
            "1.00 µs pass before the first block. After the last block's start, for 1.00 µs, 50 % of the "
            "places are filled (the tail).");
  EXPECT_EQ(launchTimes(record, timeline, 1),
            "Launch 2 of 2: 1 block of 256 threads, less than a wave: 8 fit at once, in 0.500 µs. "
            "1.00 µs pass between launches 1 and 2. 3 SMs have no block of it.");
}

TEST(TimelineSentence, NamesGapsAndBlocks) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(smallTimeline());
  EXPECT_EQ(gapName(timeline, 0), "before the first block");
  EXPECT_EQ(gapName(timeline, 1), "between launches 1 and 2");
  EXPECT_EQ(gapName(timeline, 2), "after the last block");
  EXPECT_EQ(blockTimes(timeline, timeline.bars[9]),
            "block 9 of 12, launch 1: SM 0, from 2.00 µs, for 1.00 µs");
}

TEST(TimelineSentence, OffersTheSizesThatAreRecorded) {
  EXPECT_THAT(noTimeline({}), Not(HasSubstr("Recorded")));
  EXPECT_THAT(noTimeline({1 << 16}), HasSubstr("Recorded is n = 2^16."));
  EXPECT_THAT(noTimeline({1 << 16, 1 << 20, 1 << 24}),
              testing::EndsWith("Recorded are n = 2^16, 2^20 and 2^24."));
}

TEST(TimelineMap, HasARowForEachMultiprocessorAndALineForEachSpan) {
  const std::string map = timelineMap(analysis::gridTimelineOf(smallTimeline()));
  // 88 columns of 56.8 ns: 1000 to 3000 ns are columns 17.6 to 52.8, of which the first is filled by 23 of 57
  // ns and the last by 46.
  EXPECT_THAT(map,
              HasSubstr("\n0           " + std::string(17, '.') + "4" + std::string(34, '#') + "9....."));
  EXPECT_THAT(map, HasSubstr("before the first block      0.000 µs to 1.00 µs, 1.00 µs\n"));
  EXPECT_THAT(map, HasSubstr("launch 2                    4.00 µs to 4.50 µs, 0.500 µs\n"));
  std::istringstream lines(map);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(charactersIn(line), kTextColumns) << line;
}

analysis::ReductionCost counted(double microseconds, double empty, double instructions,
                                double conflicts = 0) {
  analysis::ReductionCost reduction{.cost = roundCost()};
  reduction.cost.microseconds = microseconds;
  reduction.cost.lowerQuartile = microseconds - 1;
  reduction.cost.upperQuartile = microseconds + 1;
  reduction.cost.emptyMicroseconds = empty;
  reduction.counters.emplace();
  reduction.counters->launches = {{.grid = 1000,
                                   .block = 256,
                                   .values = {{Counter::Instructions, instructions},
                                              {Counter::SharedLoadWavefronts, 1e6 + conflicts},
                                              {Counter::SharedLoadConflicts, conflicts}}}};
  return reduction;
}

std::string why(const analysis::ReductionCost& reduction) {
  return whySentence(reduction, analysis::timePartsOf(reduction));
}

TEST(WhySentence, TellsTheLargestPartAndWhatBindsTheRest) {
  EXPECT_EQ(
      why(counted(100, 30, 12e6)),
      "Reading the input once at the peak bandwidth takes 40 % of the time. The rest, 30.0 µs, is bound "
      "most by instructions issued: 30.0 µs by itself.");
  EXPECT_EQ(why(counted(100, 50, 12e6)),
            "Launching 1001 blocks takes 50 % of the time, with nothing in them. The rest, 10.0 µs, is bound "
            "most by instructions issued: 30.0 µs by itself.");
  EXPECT_EQ(why(counted(200, 30, 60e6)),
            "65 % of the time is neither launching nor memory. The rest, 130.0 µs, is bound most by "
            "instructions issued: 150.0 µs by itself.");
}

TEST(WhySentence, SaysWhatIsNotExplainedAndWhatOverlaps) {
  EXPECT_THAT(why(counted(200, 30, 12e6)),
              testing::EndsWith("100.0 µs (50 %) are not explained by these parts."));
  EXPECT_THAT(why(counted(60, 30, 12e6)), testing::EndsWith("Launching and memory overlap by 10.0 µs."));
  EXPECT_THAT(why(counted(75, 30, 12e6)), testing::EndsWith("Launching and memory leave 5.00 µs."));
}

std::string changed(const analysis::ReductionCost& before, const analysis::ReductionCost& after) {
  return changeSentence(analysis::changeFrom(before, after));
}

TEST(ChangeSentence, NamesTheCauseWithItsReason) {
  EXPECT_EQ(changed(counted(100, 30, 40e6), counted(55, 30, 20e6)),
            "Half the instructions, and 55 % of the time: instructions were the limit.");
  // 4.2e6 wavefronts are 42 us, memory takes 40; 20e6 instructions would take 50.
  EXPECT_EQ(changed(counted(100, 30, 5e6, 4.2e6), counted(60, 30, 5e6)),
            "No bank conflicts, and 60 % of the time: bank conflicts were the limit.");
  EXPECT_EQ(changed(counted(100, 30, 5e6, 4.2e6), counted(60, 30, 5e6, 3e4)),
            "Hardly any bank conflicts, and 60 % of the time: bank conflicts were the limit.");
  EXPECT_EQ(changed(counted(100, 30, 20e6, 2.2e6), counted(80, 30, 20e6)),
            "No bank conflicts, and 80 % of the time: of what changed, that counts most.");
  analysis::ReductionCost fewer = counted(70, 28, 20e6);
  fewer.cost.launches[0].grid = 250;
  EXPECT_EQ(changed(counted(100, 60, 20e6), fewer),
            "A quarter of the blocks, and 70 % of the time: launching was the limit.");
}

TEST(ChangeSentence, SaysWhatTheCauseLeavesUnexplained) {
  EXPECT_EQ(
      changed(counted(100, 30, 40e6), counted(40, 30, 28e6)),
      "70 % of the instructions, and 40 % of the time: instructions were the limit. That explains 30.0 µs "
      "of the 60.0 µs that are saved.");
  EXPECT_EQ(changed(counted(100, 30, 20e6), counted(50, 30, 19.9e6)),
            "50 % of the time; none of these changes explains that by itself.");
}

TEST(ChangeSentence, SaysThatNothingWasWon) {
  EXPECT_EQ(changed(counted(100, 30, 40e6), counted(100, 30, 20e6)),
            "The same time: what changed was not the limit.");
  EXPECT_EQ(changed(counted(50, 30, 20e6), counted(100, 30, 30e6)),
            "2.00 times the time, with 1.50 times the instructions.");
  EXPECT_EQ(changed(counted(50, 30, 20e6), counted(100, 30, 20e6)), "2.00 times the time.");
}

TEST(WhyText, HasTheNumbersOfEachFormula) {
  analysis::ReductionCost reduction = counted(100, 30, 12e6, 1e5);
  reduction.loads = {.loads = 1, .bytes = 1};
  std::string text = whyText(MeasuredFrom::Recording, reduction, nullptr);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(charactersIn(line), kTextColumns) << line;
  std::ranges::replace(text, '\n', ' ');
  // A figure's groups are set apart by a narrow space.
  for (std::size_t at = 0; (at = text.find("\u202f")) != std::string::npos;) text.replace(at, 3, " ");
  while (text.find("  ") != std::string::npos) text.replace(text.find("  "), 2, " ");
  for (const char* part :
       {"2 launches, 1001 blocks together, with empty kernels: 30.0 µs.",
        "10 000 000 elements × 4 bytes ÷ 1000 GB/s = 40.0 µs.",
        "100.0 µs - 30.0 µs of launching - 40.0 µs of memory = 30.0 µs.",
        "12 000 000 instructions of warps ÷ (100 SMs × 1000 MHz × 4 schedulers) = 30.0 µs.",
        "800 resident blocks × 256 threads × 1 byte asked for at once = 205 KB in flight.",
        "0.500 µs of latency × 1000 GB/s need 500 KB.", "100 000 wavefronts that conflicts cost"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(GpuLimitsText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(gpuLimits(roundCost().limits),
            "Peak read bandwidth 1000 GB/s, memory latency 500 ns, an empty launch 5.00 µs, 100 SMs at 1000 "
            "MHz: measured.");
  EXPECT_EQ(gpuLimits({.readGigabytesPerSecond = 1000}), "Peak read bandwidth 1000 GB/s: measured.");
  EXPECT_EQ(gpuLimits({}), "");
}

TEST(BoundsSentence, TellsBothSizes) {
  EXPECT_EQ(boundsSentence({.launchingUntil = 1 << 20, .memoryFrom = 1 << 23}),
            "Launching takes most of the time up to n = 2^20.0, and memory from n = 2^23.0 on.");
  EXPECT_EQ(boundsSentence({.memoryFrom = 1 << 23}), "Memory takes most of the time from n = 2^23.0 on.");
  EXPECT_EQ(boundsSentence({}), "");
}

}  // namespace
}  // namespace stridescope::narration
