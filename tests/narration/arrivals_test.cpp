// In which order blocks come to where their results are joined, and what is said of it.
#include "narration/arrivals.h"

#include <gtest/gtest.h>

namespace stridescope::narration {
namespace {

using analysis::RoundArrivals;

model::LaunchTrace launchOf(std::vector<std::uint64_t> blocks, std::uint64_t recorded, std::uint64_t grid) {
  model::LaunchTrace launch;
  launch.grid = grid;
  launch.recorded().block = recorded;
  for (const std::uint64_t block : blocks) launch.arrivals.push_back({block});
  return launch;
}

TEST(ArrivalSentence, TellsThePlaceOfTheBlock) {
  const RoundArrivals comes{.own = 1};
  EXPECT_EQ(arrivalSentence(launchOf({2, 0, 3, 1}, 0, 4), comes), "Block 0 comes 2nd of 4.");
  EXPECT_EQ(arrivalSentence(launchOf({0, 3, 1, 2}, 0, 4), {.own = 0}), "Block 0 comes first of 4.");
  EXPECT_EQ(arrivalSentence(launchOf({2, 1, 0, 3}, 3, 4), {.own = 3}),
            "Block 3 comes last of 4: all others have left their results before.");
  // A launch that was stopped has fewer arrivals than blocks.
  EXPECT_EQ(arrivalSentence(launchOf({2, 1}, 1, 4), {.own = 1}), "Block 1 comes last of 2.");
}

TEST(ArrivalSentence, TellsWhoWaitsForWhom) {
  const model::LaunchTrace launch = launchOf({3, 1, 2}, 0, 4);
  const RoundArrivals waits{.reads = {{0, 1}, {1, 2}, {2, 3}}, .waits = true};
  EXPECT_EQ(arrivalSentence(launch, waits),
            "Block 0 waits for the words of 3 blocks: block 3's comes first, block 2's last.");
  EXPECT_EQ(arrivalSentence(launch, waits, 1),
            "Thread 1 waits for the word of block 2, which comes last of 3.");
  EXPECT_EQ(arrivalSentence(launch, waits, 9).substr(0, 20), "Block 0 waits for th");
  EXPECT_EQ(arrivalSentence(launch, {.reads = {{0, 1}}, .waits = true}),
            "Thread 0 waits for the word of block 1, which comes 2nd of 3.");
}

TEST(ArrivalSentence, TellsWhoReadsWhatIsThere) {
  const model::LaunchTrace launch = launchOf({0, 1, 2}, 2, 3);
  const RoundArrivals reads{.reads = {{0, 0}, {1, 1}, {2, 2}}};
  EXPECT_EQ(arrivalSentence(launch, reads), "Block 2, which has come last, reads the results of 3 blocks.");
  EXPECT_EQ(arrivalSentence(launch, reads, 0),
            "Thread 0 reads the result of block 0, which comes first of 3.");
}

TEST(ArrivalOrder, LeavesOutTheMiddleOfALongOne) {
  EXPECT_EQ(arrivalOrder(launchOf({4, 0, 3}, 0, 5), 4), "4, 0, 3");
  EXPECT_EQ(arrivalOrder(launchOf({9, 8, 7, 6, 5, 4}, 0, 10), 4), "9, 8, ... 5, 4");
  EXPECT_EQ(arrivalOrder(launchOf({9, 8, 7, 6}, 0, 10), 4), "9, 8, 7, 6");
}

// Two blocks on each of three devices, whose first ones send the words.
TEST(ArrivalSentence, NamesGpusWhereThereAreSeveral) {
  model::LaunchTrace launch = launchOf({2, 4}, 0, 6);
  launch.devices = 3;
  const RoundArrivals waits{.reads = {{0, 2}, {0, 4}}, .waits = true};
  EXPECT_EQ(arrivalSentence(launch, waits),
            "GPU 0 waits for the words of 2 other GPUs: GPU 1's comes first, GPU 2's last.");
  EXPECT_EQ(arrivalSentence(launch, waits, 0), "Thread 0 waits for the word of GPU 1, which comes first of 2.");
  launch.recorded().block = 4;
  EXPECT_EQ(arrivalSentence(launch, {.own = 1}), "GPU 2 comes last of 2.");
}

}  // namespace
}  // namespace stridescope::narration
