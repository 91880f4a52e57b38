// The sentence of a round's cycles.
#include <gtest/gtest.h>

#include "narration/cycles_sentence.h"

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
  EXPECT_EQ(cyclesSentence(cycles, 0, "A GPU"),
            "158 cycles alone, 12\u202f310 in a full grid, recorded on A GPU.");
  EXPECT_EQ(cyclesSentence(cycles, 1, "A GPU"), "90 cycles in a full grid, recorded on A GPU.");
  EXPECT_EQ(cyclesSentence(cycles, 2, "A GPU"), "1 cycle alone, recorded on A GPU.");
  EXPECT_EQ(cyclesSentence(cycles, 3, "A GPU"), "");
  EXPECT_EQ(cyclesSentence({}, 0, "A GPU"), "");
}

TEST(RecordedCycles, AreComparedWithTheReferences) {
  const analysis::Cycles cost{.median = 158, .low = 155, .high = 160},
      other{.median = 124, .low = 1, .high = 999};
  EXPECT_EQ(recordedCycles(&cost, &other, "sequential"),
            "Recorded: 158 cycles; sequential, with as many active threads, takes 124.");
  EXPECT_EQ(recordedCycles(&cost, nullptr, "sequential"), "Recorded: 158 cycles.");
  EXPECT_EQ(recordedCycles(nullptr, &other, "sequential"), "");
}

}  // namespace
}  // namespace stridescope::narration
