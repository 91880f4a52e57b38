// Blocks in time: slots, waves, tails, gaps and the picture for a grid made by hand.
#include "analysis/grid_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "support/grid_records.h"

namespace stridescope::analysis {
namespace {

using support::smallTimeline;

TEST(GridTimeline, HasARowForEachMultiprocessorAndASlotForEachBlockAtOnce) {
  const GridTimeline timeline = gridTimelineOf(smallTimeline());
  ASSERT_EQ(timeline.rows.size(), 4u);
  EXPECT_EQ(timeline.slots, 2u);
  ASSERT_EQ(timeline.bars.size(), 13u);
  EXPECT_EQ(timeline.bars[0], (BlockBar{0, 0, 0, 0, {1000, 2000}}));
  EXPECT_EQ(timeline.bars[1], (BlockBar{0, 0, 1, 1, {1000, 2000}}));
  EXPECT_EQ(timeline.bars[8], (BlockBar{0, 0, 0, 8, {2000, 3000}})) << "takes the place of block 0";
  EXPECT_EQ(timeline.bars[12], (BlockBar{1, 3, 0, 0, {4000, 4500}}));
  EXPECT_EQ(timeline.rows[0].bars, (std::vector<std::uint32_t>{0, 1, 8, 9}));
  EXPECT_EQ(timeline.rows[2].bars.size(), 2u);
}

TEST(GridTimeline, KnowsLaunchesAndTheGapsBetweenThem) {
  const GridTimeline timeline = gridTimelineOf(smallTimeline());
  ASSERT_EQ(timeline.launches.size(), 2u);
  EXPECT_EQ(timeline.launches[0].time, (TimeSpan{1000, 3000}));
  EXPECT_EQ(timeline.launches[1].time, (TimeSpan{4000, 4500}));
  EXPECT_EQ(timeline.gaps, (std::vector<TimeSpan>{{0, 1000}, {3000, 4000}, {4500, 5000}}));
  EXPECT_EQ(timeline.nanoseconds, 5000u);
}

// 12 blocks where 8 fit at once; from the last start at 2000 ns, 4 of them are there for 1000 ns.
TEST(GridTimeline, CountsWavesAndTheTail) {
  const LaunchTimes times = gridTimelineOf(smallTimeline()).launches[0];
  EXPECT_DOUBLE_EQ(times.waves, 1.5);
  EXPECT_EQ(times.used, 4u);
  EXPECT_EQ(times.tail(), (TimeSpan{2000, 3000}));
  EXPECT_DOUBLE_EQ(times.tailResident, 4);
  EXPECT_DOUBLE_EQ(times.averageResident, 6) << "12 blocks of 1000 ns in 2000 ns";
  EXPECT_EQ(gridTimelineOf(smallTimeline()).launches[1].used, 1u);
}

TEST(GridTimeline, FindsTheBlockAtAMoment) {
  const GridTimeline timeline = gridTimelineOf(smallTimeline());
  ASSERT_NE(timeline.at(0, 1, 1999), nullptr);
  EXPECT_EQ(timeline.at(0, 1, 1999)->block, 1u);
  EXPECT_EQ(timeline.at(0, 1, 2000)->block, 9u);
  EXPECT_EQ(timeline.at(3, 0, 2500), nullptr);
  EXPECT_EQ(timeline.at(9, 0, 1500), nullptr);
  EXPECT_EQ(timeline.resident(1, 2500).size(), 2u);
}

// The slots by looking through all of them: the lowest that is free, within 96 ns, three steps of the timer,
// where all that fit are taken.
std::vector<std::uint32_t> slotsByLooking(const model::LaunchTimeline& launch) {
  std::vector<std::size_t> order(launch.blocks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t block) { return launch.blocks[block].start; });
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> slots(launch.blocks.size());
  for (const std::size_t block : order) {
    const model::BlockRun& run = launch.blocks[block];
    std::size_t slot = 0;
    while (slot < ends.size() && ends[slot] > run.start) ++slot;
    if (slot == ends.size() && ends.size() >= launch.residentBlocks)
      for (slot = 0; slot < ends.size() && ends[slot] > run.start + 96;) ++slot;
    if (slot == ends.size()) ends.push_back(0);
    ends[slot] = run.start + run.nanoseconds;
    slots[block] = std::uint32_t(slot);
  }
  return slots;
}

TEST(GridTimeline, HasTheSlotsThatLookingThroughAllOfThemFinds) {
  std::mt19937 generator(33);
  const auto below = [&](unsigned limit) { return unsigned(generator() % limit); };
  for (unsigned round = 0; round < 200; ++round) {
    model::TimelineRecord record = smallTimeline();
    record.launches.resize(1);
    model::LaunchTimeline& launch = record.launches[0];
    launch.residentBlocks = 1 + below(6);
    launch.blocks.clear();
    const unsigned longest = 1 + below(300);
    for (unsigned block = 0; block < 60; ++block) launch.blocks.push_back({below(500), below(longest), 0});
    const GridTimeline timeline = gridTimelineOf(record);
    const std::vector<std::uint32_t> slots = slotsByLooking(launch);
    for (std::size_t block = 0; block < slots.size(); ++block)
      ASSERT_EQ(timeline.bars[block].slot, slots[block]) << "round " << round << ", block " << block;
  }
}

// Looking through all slots would take minutes.
TEST(GridTimeline, OfHundredsOfThousandsOfBlocksAtOnceIsFoundInAMoment) {
  model::TimelineRecord record = smallTimeline();
  record.launches.resize(1);
  const std::size_t blocks = std::size_t{1} << 19;
  record.launches[0].blocks.assign(blocks, {1000, 1000, 0});
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(gridTimelineOf(record).slots, blocks);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(30));
}

// A multiprocessor's number may lie beyond how many there are.
TEST(GridTimeline, TakesEveryMultiprocessorsNumber) {
  model::TimelineRecord record = smallTimeline();
  record.launches[1].blocks[0].multiprocessor = 9;
  EXPECT_EQ(gridTimelineOf(record).rows.size(), 10u);
}

TEST(Residency, AveragesOverAnySpan) {
  const Residency residency({{0, 100}, {50, 150}});
  EXPECT_DOUBLE_EQ(residency.average({0, 50}), 1);
  EXPECT_DOUBLE_EQ(residency.average({50, 100}), 2);
  EXPECT_DOUBLE_EQ(residency.average({25, 75}), 1.5);
  EXPECT_DOUBLE_EQ(residency.average({100, 200}), 0.5);
  EXPECT_DOUBLE_EQ(residency.average({500, 600}), 0);
  EXPECT_DOUBLE_EQ(residency.average({7, 7}), 0);
  EXPECT_EQ(residency.most(), 2u);
}

// Counted nanosecond by nanosecond.
TEST(Residency, IsWhatCountingSays) {
  std::mt19937 random(7);
  std::vector<TimeSpan> blocks;
  for (int i = 0; i < 40; ++i) {
    const std::uint64_t begin = random() % 300;
    blocks.push_back({begin, begin + random() % 60});
  }
  const Residency residency(blocks);
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t begin = random() % 300, end = begin + 1 + random() % 90;
    double sum = 0;
    for (std::uint64_t at = begin; at < end; ++at)
      for (const TimeSpan& block : blocks) sum += block.begin <= at && at < block.end ? 1 : 0;
    EXPECT_NEAR(residency.average({begin, end}), sum / double(end - begin), 1e-9);
  }
}

TEST(ResidencyPicture, IsTheShareOfPlacesThatAreFilled) {
  const GridTimeline timeline = gridTimelineOf(smallTimeline());
  const auto picture = residencyPicture(timeline, {0, 5000}, 5);
  ASSERT_EQ(picture.size(), 20u);
  const std::vector<std::uint8_t> first(picture.begin(), picture.begin() + 5);
  EXPECT_EQ(first, (std::vector<std::uint8_t>{0, 255, 255, 0, 0}));
  const std::vector<std::uint8_t> last(picture.begin() + 15, picture.end());
  EXPECT_EQ(last, (std::vector<std::uint8_t>{0, 255, 0, 0, 64})) << "one of two places, half of the time";
  const auto half = residencyPicture(timeline, {500, 1500}, 1);
  EXPECT_EQ(half[0], 128) << "half of the time";
}

TEST(ResidencyPicture, OfASpanShorterThanItsColumnsStillShowsBlocks) {
  const GridTimeline timeline = gridTimelineOf(smallTimeline());
  const auto picture = residencyPicture(timeline, {1500, 1503}, 100);
  EXPECT_EQ(picture[50], 255);
  EXPECT_TRUE(residencyPicture(timeline, {0, 5000}, 0).empty());
}

}  // namespace
}  // namespace stridescope::analysis
