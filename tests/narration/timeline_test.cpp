// Blocks in time, and what time is made of, in words. The hand-made records have round numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

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
            "Recorded on NVIDIA H100 80GB HBM3, 4 SMs: n = 3072, the run with the median time of 21. Its "
            "launches take 5.00 µs with a mark of each block, and 4.90 µs without.");
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
            "Launch 0 (2 in all): 12 blocks of 256 threads, 1.5 waves of the 8 that fit at once, in 2.00 µs. "
            "1.00 µs pass before the first block. After the last block's start, for 1.00 µs, 50 % of the "
            "places are filled (the tail).");
  EXPECT_EQ(launchTimes(record, timeline, 1),
            "Launch 1 (2 in all): 1 block of 256 threads, less than a wave: 8 fit at once, in 0.500 µs. "
            "1.00 µs pass between launches 0 and 1. 3 SMs have no block of it.");
}

TEST(TimelineSentence, NamesGapsAndBlocks) {
  const analysis::GridTimeline timeline = analysis::gridTimelineOf(smallTimeline());
  EXPECT_EQ(gapName(timeline, 0), "before the first block");
  EXPECT_EQ(gapName(timeline, 1), "between launches 0 and 1");
  EXPECT_EQ(gapName(timeline, 2), "after the last block");
  EXPECT_EQ(blockTimes(timeline, timeline.bars[9]),
            "block 9 of 12, launch 0: SM 0, from 2.00 µs, for 1.00 µs");
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
  EXPECT_THAT(map, HasSubstr("launch 1                    4.00 µs to 4.50 µs, 0.500 µs\n"));
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

using analysis::PricedKind;

// A grid that does nothing in 45 us, a load in 1.6, strides 4, 2 and 1, and a write in 2.
analysis::ReductionCost priced(double four, double two, double one, double spread = 0.25) {
  analysis::ReductionCost reduction = counted(45 + 1.6 + four + two + one + 2, 44, 12e6);
  reduction.prices.emplace();
  const auto add = [&](PricedKind kind, double time, std::optional<std::uint64_t> stride = {}) {
    reduction.prices->steps.push_back(
        {.kind = kind, .stride = stride, .microseconds = time, .low = time - spread, .high = time + spread});
  };
  add(PricedKind::Empty, 45);
  add(PricedKind::Load, 1.6);
  add(PricedKind::Stride, four, 4);
  add(PricedKind::Stride, two, 2);
  add(PricedKind::Stride, one, 1);
  add(PricedKind::Write, 2);
  reduction.prices->record.runs = 61;
  reduction.prices->record.wholeMicroseconds = reduction.prices->record.cleanMicroseconds =
      reduction.cost.microseconds;
  return reduction;
}

TEST(WhySentence, NamesTheStepThatCostsMost) {
  EXPECT_EQ(whySentence(priced(10, 12, 18)),
            "Stride 1 costs most: 18.0 µs of 88.6 µs. A grid of as many blocks that does nothing takes 45.0 "
            "µs. The reduction takes 2.21 times as long as reading its input once at the peak bandwidth.");
  EXPECT_THAT(whySentence(priced(18, 18.2, 17.9)),
              testing::StartsWith("Strides 4 to 1 cost most, 17.9 µs to 18.2 µs each of 102.7 µs: too "
                                  "alike to be told apart."));
  EXPECT_THAT(whySentence(priced(18, 3, 17.9)), testing::StartsWith("Strides 4 and 1 cost most, "));
}

TEST(WhySentence, SaysWhatIsNotKnown) {
  EXPECT_EQ(whySentence(counted(100, 30, 12e6), {1 << 16, 1 << 24}),
            "The prices of its steps are not known here. Recorded are n = 2^16 and 2^24. The reduction takes "
            "2.50 times as long as reading its input once at the peak bandwidth.");
  analysis::ReductionCost nameless = priced(1, 2, 3);
  nameless.prices->steps.clear();
  EXPECT_THAT(whySentence(nameless), testing::StartsWith("Its steps have no names here: "));
  analysis::ReductionCost disturbed = priced(10, 12, 18);
  disturbed.prices->record.cleanMicroseconds /= 1.2;
  EXPECT_THAT(whySentence(disturbed), HasSubstr("the shape of the steps holds, not their sum."));
}

std::string changed(const analysis::ReductionCost& before, const analysis::ReductionCost& after) {
  return changeSentence(analysis::changeFrom(before, after));
}

TEST(ChangeSentence, NamesTheStepsThatDifferMost) {
  EXPECT_EQ(changed(priced(16, 18, 19), priced(5, 6, 6)),
            "65 % of the time: 101.6 µs before, 65.6 µs after. The steps differ most in strides 4 to 1: 36.0 "
            "µs less in all. All steps together take 36.0 µs less.");
  EXPECT_EQ(changed(priced(5, 6, 6), priced(5, 6, 15)),
            "1.14 times the time: 65.6 µs before, 74.6 µs after. The steps differ most in stride 1: 9.00 µs "
            "more. All steps together take 9.00 µs more.");
  EXPECT_THAT(changed(priced(16, 18, 19, 10), priced(5, 6, 6, 10)),
              testing::EndsWith(
                  " No step's price differs by more than its spread, or than two measurements do. All steps "
                  "together take 36.0 µs "
                  "less."));
  EXPECT_EQ(
      changed(priced(16, 18, 3), priced(5, 6, 15)),
      "87 % of the time: 85.6 µs before, 74.6 µs after. The steps differ most in strides 4 and 2: 23.0 µs "
      "less in all; and in stride 1: 12.0 µs more. All steps together take 11.0 µs less.")
      << "what goes the other way is told";
}

// One side takes the strides 4, 2, 1, the other 8, 16, 32 and 64 beside them.
TEST(ChangeSentence, JoinsStridesThatAdjoinWhicheverWayTheyCome) {
  analysis::ReductionCost more = priced(9, 9, 9);
  std::vector<analysis::PricedStep>& steps = more.prices->steps;
  for (const std::uint64_t stride : {8u, 16u, 32u, 64u})
    steps.insert(
        steps.end() - 1,
        {.kind = PricedKind::Stride, .stride = stride, .microseconds = 5, .low = 4.75, .high = 5.25});
  more.cost.microseconds += 20, more.cost.lowerQuartile += 20, more.cost.upperQuartile += 20;
  EXPECT_THAT(changed(priced(4, 4, 4), more),
              HasSubstr("differ most in strides 1 to 64: 35.0 µs more in all."));
}

TEST(ChangeSentence, HasDigitsInWhichTwoTimesDiffer) {
  analysis::ReductionCost before = counted(1457, 30, 40e6), after = counted(1459, 30, 40e6);
  EXPECT_THAT(changed(before, after),
              testing::StartsWith("0.1 % more time: 1.457 ms before, 1.459 ms after."));
  EXPECT_THAT(whyText(MeasuredFrom::Recording, after, &before), HasSubstr("1.457 ms       1.459 ms"));
  after.cost.microseconds = 1457.5;
  EXPECT_THAT(changed(before, after),
              testing::StartsWith("The same time within its spread: 1.46 ms before, 1.46 ms after."))
      << "no difference is told";
}

TEST(ChangeSentence, NamesNoStepWhereThePricesDifferTheOtherWay) {
  analysis::ReductionCost faster = priced(16, 18, 19), slower = priced(5, 6, 6);
  std::swap(faster.prices, slower.prices);
  EXPECT_EQ(changed(faster, slower),
            "65 % of the time: 101.6 µs before, 65.6 µs after. It is not known here in which steps: their "
            "prices, measured apart, come to 36.0 µs more.");
}

TEST(ChangeSentence, NamesNoStepWhereNoneIsKnown) {
  EXPECT_EQ(changed(counted(100, 30, 40e6), counted(55, 30, 20e6)),
            "55 % of the time: 100.0 µs before, 55.0 µs after. It is not known here in which steps.");
}

TEST(ChangeSentence, SaysTheSameTimeOnlyWithinTheSpread) {
  // The medians lie within 1.57 * 2 / sqrt(21) = 0.69 us.
  EXPECT_EQ(changed(counted(100, 30, 40e6), counted(99, 30, 20e6)),
            "The same time within its spread: 100.0 µs before, 99.0 µs after.");
  EXPECT_THAT(changed(counted(100, 30, 40e6), counted(98, 30, 20e6)),
              testing::StartsWith("2.0 % less time: 100.0 µs before, 98.0 µs after."));
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
        "12 000 000 instructions of warps ÷ (100 SMs × 1000 MHz × 4 schedulers) = 30.0 µs.",
        "800 resident blocks × 256 threads × 1 byte asked for at once = 205 KB in flight.",
        "0.500 µs of latency × 1000 GB/s need 500 KB.", "100 000 wavefronts that conflicts cost"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(GpuLimitsText, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(gpuLimits(roundCost().limits),
            "Peak read bandwidth 1000 GB/s, memory latency 500 ns, an empty launch 5.00 µs, 100 SMs at 1000 "
            "MHz: measured when the GPU was opened.");
  EXPECT_EQ(gpuLimits({.readGigabytesPerSecond = 1000}),
            "Peak read bandwidth 1000 GB/s: measured when the GPU was opened.");
  EXPECT_EQ(gpuLimits({}), "");
}

TEST(BoundsSentence, TellsBothSizes) {
  EXPECT_EQ(
      boundsSentence({.emptyGridUntil = 1 << 20, .memoryFrom = 1 << 23}),
      "Up to n = 2^20.0 a grid that does nothing takes at least half as long, and from n = 2^23.0 on reading "
      "the input once at the peak bandwidth does.");
  EXPECT_EQ(boundsSentence({.memoryFrom = 1 << 23}),
            "From n = 2^23.0 on reading the input once at the peak bandwidth takes at least half as long.");
  EXPECT_EQ(boundsSentence({}), "");
}

// What `why` says of times that are none: a recording may hold any that is not below 0.

TEST(WhySentence, OfHardlyAnyTimeHasNoInfinities) {
  analysis::ReductionCost reduction;
  reduction.cost.experiment = {.variant = "sequential", .threads = 256, .elements = 1 << 20};
  reduction.cost.launches = {{.grid = 4096, .block = 256}};
  reduction.cost.limits.readGigabytesPerSecond = 2000;
  for (const double time : {0.0, std::numeric_limits<double>::denorm_min()}) {
    reduction.cost.microseconds = time;
    const std::string sentence = whySentence(reduction);
    EXPECT_THAT(sentence, Not(HasSubstr("inf"))) << time;
    EXPECT_THAT(sentence, Not(HasSubstr("nan"))) << time;
  }
}

}  // namespace
}  // namespace stridescope::narration
