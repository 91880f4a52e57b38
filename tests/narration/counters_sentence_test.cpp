#include <gtest/gtest.h>

#include <limits>

#include "narration/measured_sentences.h"

namespace stridescope::narration {
namespace {

using model::Counter;
using model::CounterUnit;

TEST(CounterAmount, HasTheUnitsDigits) {
  EXPECT_EQ(counterAmount(1064, CounterUnit::Count), "1064");
  EXPECT_EQ(counterAmount(3'571'712, CounterUnit::Bytes), "3\u202f571\u202f712");
  EXPECT_EQ(counterAmount(12.25, CounterUnit::Percent), "12.2 %");
  EXPECT_EQ(counterAmount(2.456, CounterUnit::Warps), "2.46");
}

TEST(CounterAmount, OfNoNumberIsNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const CounterUnit unit :
       {CounterUnit::Count, CounterUnit::Bytes, CounterUnit::Percent, CounterUnit::Warps}) {
    EXPECT_EQ(counterAmount(inf, unit), "-");
    EXPECT_EQ(counterDifference(1, inf, unit), "-");
  }
}

TEST(CounterDifference, IsMeasuredLessModelled) {
  EXPECT_EQ(counterDifference(95, 95, CounterUnit::Count), "equal");
  EXPECT_EQ(counterDifference(95, 90, CounterUnit::Count), "-5");
  EXPECT_EQ(counterDifference(32, 36, CounterUnit::Count), "+4");
  EXPECT_EQ(counterDifference(std::nullopt, 36, CounterUnit::Count), "");
  EXPECT_EQ(counterDifference(32, std::nullopt, CounterUnit::Count), "");
}

TEST(WhyDifferent, NamesTheCompilerForFewerAndTheSmsOtherTrafficForMore) {
  EXPECT_EQ(whyDifferent(Counter::SharedLoadWavefronts, 7, 7), "");
  EXPECT_NE(whyDifferent(Counter::SharedLoadWavefronts, 7, 6).find("loads less than the text"),
            std::string::npos);
  EXPECT_NE(whyDifferent(Counter::SharedStoreWavefronts, 7, 6).find("stores less than the text"),
            std::string::npos);
  EXPECT_NE(whyDifferent(Counter::SharedStoreConflicts, 0, 4).find("other traffic"), std::string::npos);
}

TEST(KnownDifference, IsOfAVariantAndItsLoadsOrStores) {
  EXPECT_NE(knownDifference("tile_columns", Counter::SharedLoadConflicts), "");
  EXPECT_EQ(knownDifference("tile_columns", Counter::SharedStoreConflicts), "");
  EXPECT_NE(knownDifference("warp_redux", Counter::SharedStoreConflicts), "");
  EXPECT_EQ(knownDifference("warp_redux", Counter::SharedLoadConflicts), "");
  EXPECT_EQ(knownDifference("sequential", Counter::SharedLoadWavefronts), "");
}

TEST(CountedLaunch, NamesGpuAndLaunch) {
  model::CounterRecord record;
  record.executor.device = "A GPU";
  record.launches = {{.grid = 65'536, .block = 256, .values = {}}, {.grid = 1, .block = 256, .values = {}}};
  EXPECT_EQ(
      countedLaunch(MeasuredFrom::Recording, record, 0),
      "Recorded on A GPU: launch 0 (2 in all), 65\u202f536 blocks of 256 threads. " + std::string(kWarm));
  EXPECT_EQ(countedLaunch(MeasuredFrom::ThisRun, record, 1),
            "Counted on A GPU: launch 1 (2 in all), 1 block of 256 threads. " + std::string(kWarm));
}

TEST(CappedRatios, TellWhatWasCounted) {
  const model::LaunchCounters launch{
      .grid = 1, .block = 32, .values = {{Counter::L2HitRate, 104.89}, {Counter::AchievedOccupancy, 12.5}}};
  EXPECT_EQ(launch.find(Counter::L2HitRate), 100);
  EXPECT_EQ(launch.find(Counter::AchievedOccupancy), 12.5);
  EXPECT_EQ(cappedRatios(launch),
            "L2 hit rate: counted as 104.9 %, shown as 100.0 %. The parts of a ratio are counted in separate "
            "runs of the kernel, which differ where it is short.");
  EXPECT_EQ(cappedRatios({.grid = 1, .block = 32, .values = {{Counter::L2HitRate, 99}}}), "");
  EXPECT_EQ(cappedRatios({.grid = 1, .block = 32, .values = {{Counter::Branches, 4096}}}), "");
}

TEST(MeasuredDivergence, IsTheHardwaresOrNotAvailable) {
  EXPECT_EQ(measuredDivergence(MeasuredFrom::Recording, std::nullopt, 0),
            "Divergent branches measured: not available here.");
  model::CounterRecord record;
  record.executor.device = "A GPU";
  record.launches = {{.grid = 1, .block = 32, .values = {{Counter::DivergentBranchTargets, 3}}}};
  EXPECT_EQ(measuredDivergence(MeasuredFrom::ThisRun, record, 0),
            "Divergent branch targets measured: 3 in this launch, counted on A GPU.");
  record.launches[0].values.clear();
  EXPECT_EQ(measuredDivergence(MeasuredFrom::ThisRun, record, 0),
            "Divergent branches measured: not available here.");
}

}  // namespace
}  // namespace stridescope::narration
