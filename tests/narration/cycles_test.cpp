// The sentence of a round's cycles.
#include <gtest/gtest.h>

#include "narration/measured_sentences.h"

namespace stridescope::narration {
namespace {

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
