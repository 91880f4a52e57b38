#include "narration/measured_sentences.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/grid_records.h"

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

TEST(CodeSentence, CountsTheInstructionsOfTheRoundsLines) {
  const model::MachineCode code = support::smallCode();
  EXPECT_EQ(
      codeSentence(code, {11, 13}),
      "The lines of this round: 2 instructions, 1 of them predicated, and 1 branch with a predicate, the "
      "kind that can diverge.");
  EXPECT_EQ(codeSentence(code, {8, 9}),
            "The lines of this round: 2 instructions, and no branch with a predicate: none can diverge.");
  EXPECT_EQ(codeSentence(code, {40}), "No instruction is tied to the lines of this round.");
  EXPECT_EQ(codeSentence(code, {0}), "No instruction is tied to the lines of this round.");
}

TEST(CodeSentence, TellsWhoCompiledItForWhat) {
  model::MachineCode code = support::smallCode();
  EXPECT_EQ(compiledCode(code, false),
            "SASS for sm_90, compiled by NVRTC 13.0; recorded on NVIDIA H100 80GB HBM3.");
  EXPECT_EQ(compiledCode(code, true), "SASS for sm_90, compiled by NVRTC 13.0 for NVIDIA H100 80GB HBM3.");
  code.kind = model::CodeKind::Ptx;
  code.executor.device.clear();
  EXPECT_EQ(compiledCode(code, true), "PTX for sm_90, compiled by NVRTC 13.0 on this machine.");
}

// The sentence of a round's cycles.

analysis::RoundCycles cyclesOf(std::vector<std::optional<analysis::Cycles>> rounds) {
  return {.rounds = std::move(rounds), .block = {}};
}

TEST(CyclesSentence, TellsBothGridsAndTheGpu) {
  const analysis::LaunchCycles cycles{
      .alone = cyclesOf({analysis::Cycles{.median = 158, .low = 155, .high = 160}, std::nullopt,
                         analysis::Cycles{.median = 1, .low = 1, .high = 2}}),
      .inGrid = cyclesOf({analysis::Cycles{.median = 12310, .low = 211, .high = 2590},
                          analysis::Cycles{.median = 90, .low = 80, .high = 99}})};
  EXPECT_EQ(cyclesSentence(cycles, 0, "recorded on A GPU"),
            "158 cycles alone, 12\u202f310 in a full grid, recorded on A GPU.");
  EXPECT_EQ(cyclesSentence(cycles, 1, "recorded on A GPU"), "90 cycles in a full grid, recorded on A GPU.");
  EXPECT_EQ(cyclesSentence(cycles, 2, "recorded on A GPU"), "1 cycle alone, recorded on A GPU.");
  EXPECT_EQ(cyclesSentence(cycles, 3, "recorded on A GPU"), "");
  EXPECT_EQ(cyclesSentence({}, 0, "recorded on A GPU"), "");
}

TEST(RecordedCycles, AreComparedWithTheReferences) {
  const analysis::Cycles cost{.median = 158, .low = 155, .high = 160},
      other{.median = 124, .low = 1, .high = 999};
  EXPECT_EQ(countedCycles(MeasuredFrom::Recording, &cost, &other, "sequential"),
            "Recorded: 158 cycles; sequential, with as many active threads, takes 124.");
  EXPECT_EQ(countedCycles(MeasuredFrom::Recording, &cost, nullptr, "sequential"), "Recorded: 158 cycles.");
  EXPECT_EQ(countedCycles(MeasuredFrom::Recording, nullptr, &other, "sequential"), "");
  EXPECT_EQ(countedCycles(MeasuredFrom::ThisRun, &cost, nullptr, "sequential"), "Counted: 158 cycles.");
}

TEST(CountedOn, SaysWhetherTheGpuIsThisRunsOwn) {
  EXPECT_EQ(countedOn(MeasuredFrom::Recording, "A GPU"), "recorded on A GPU");
  EXPECT_EQ(countedOn(MeasuredFrom::ThisRun, "A GPU"), "counted on A GPU");
}

TEST(WarpCycles, TellWaitingApart) {
  EXPECT_EQ(warpCycles({.begin = 100, .arrive = 218, .end = 258}),
            "works 118 cycles, then waits 40 at the barrier");
  EXPECT_EQ(warpCycles({.begin = 100, .arrive = 101, .end = 101}), "works 1 cycle");
}

TEST(ClockedLaunch, NamesGpuBlockAndCost) {
  model::ClockRecord record;
  record.grid = 1;
  record.executor.device = "A GPU";
  record.clockedMicroseconds = 6.02;
  record.cleanMicroseconds = 5.38;
  record.firstWarp.resize(41);
  EXPECT_EQ(clockedLaunch(MeasuredFrom::Recording, record),
            "Recorded on A GPU: one block alone, the median of 41 runs. The launch took 6.02 µs with clocks, "
            "5.38 µs without.");
  record.company = model::ClockedGrid::Full;
  record.elements = 1 << 24;
  record.grid = 65'536;
  record.block = 32'768;
  EXPECT_TRUE(
      clockedLaunch(MeasuredFrom::Recording, record)
          .starts_with(
              "Recorded on A GPU: block 32\u202f768 of 65\u202f536, n = 2^24, the median of 41 runs."));
}

TEST(NoCycles, SayWhatIsMissing) {
  EXPECT_NE(noCycles(model::ClockedGrid::Alone, true).find("alone"), std::string::npos);
  EXPECT_NE(noCycles(model::ClockedGrid::Full, true).find("full grid"), std::string::npos);
  EXPECT_NE(
      noCycles(model::ClockedGrid::Full, false).find("A GPU that runs it here counts them, and File > "),
      std::string::npos);
}

}  // namespace
}  // namespace stridescope::narration
