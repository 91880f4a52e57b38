// How many blocks a launch has, against the numbers that its rule gives reasons for.
#include <gtest/gtest.h>

#include "kernels/run_plan.h"

namespace stridescope::kernels {
namespace {

constexpr std::uint64_t kHuge = 1ull << 40;

auto blocksBy(model::GridRule grid, unsigned elementsPerThread) {
  return [=](std::uint64_t elements, unsigned threads) {
    return model::LaunchRule{.grid = grid, .elementsPerThread = elementsPerThread}.blocks(elements, threads);
  };
}
const auto blocksThatQueue = blocksBy(model::GridRule::ManyWaves, 8);
const auto blocksThatQueueForPacks = blocksBy(model::GridRule::ManyWaves, 16);
const auto blocksInOneWave = blocksBy(model::GridRule::OneWave, 16);
const auto oneBlock = blocksBy(model::GridRule::OneBlock, 8);

TEST(LaunchRules, GiveEveryThreadSeveralElementsBeforeTheyTakeAnotherBlock) {
  EXPECT_EQ(blocksThatQueue(0, 256), 1u);
  EXPECT_EQ(blocksThatQueue(2048, 256), 1u);
  EXPECT_EQ(blocksThatQueue(2049, 256), 2u);
  EXPECT_EQ(blocksThatQueueForPacks(4096, 256), 1u);
  EXPECT_EQ(blocksThatQueueForPacks(4097, 256), 2u);
  EXPECT_EQ(blocksInOneWave(16384, 512), 1u);  // 32 elements per thread
  EXPECT_EQ(blocksInOneWave(16385, 512), 3u);  // then 16
}

TEST(LaunchRules, FillTheLargestGpuAndNoMoreThanEightTimes) {
  // 160 multiprocessors of 2048 threads: 8 blocks of 256 on each.
  EXPECT_EQ(blocksThatQueue(kHuge, 256), 8u * 160 * 8);
  EXPECT_EQ(blocksThatQueue(kHuge, 1024), 8u * 160 * 2);
  EXPECT_EQ(blocksThatQueueForPacks(kHuge, 32), 8u * 160 * 64);
}

TEST(LaunchRules, OneWaveIsNoMoreThanMemoryNeeds) {
  EXPECT_EQ(blocksInOneWave(1u << 21, 512), 256u);  // 2^17 threads of 64 bytes: 8 MiB in flight
  EXPECT_EQ(blocksInOneWave(1u << 25, 512), 256u);
  EXPECT_EQ(blocksInOneWave(1u << 26, 512), 512u);  // 256 elements per thread
  EXPECT_EQ(blocksInOneWave(1u << 27, 512), 132u * 4);
  EXPECT_EQ(blocksInOneWave(kHuge, 512), 132u * 4);
  EXPECT_EQ(blocksInOneWave(kHuge, 32), 132u * 64);
  EXPECT_EQ(oneBlock(kHuge, 32), 1u);
  const auto blocksAtOnce = blocksBy(model::GridRule::OneWaveAtOnce, 16);
  EXPECT_EQ(blocksAtOnce(8192, 512), 1u);
  EXPECT_EQ(blocksAtOnce(8193, 512), 2u);
  for (const std::uint64_t elements : {std::uint64_t{16385}, std::uint64_t{1} << 26, kHuge})
    EXPECT_EQ(blocksAtOnce(elements, 512), blocksInOneWave(elements, 512));
}

TEST(LaunchRules, AGridOfClustersHasWholeOnes) {
  const model::LaunchRule clusters{.grid = model::GridRule::OneWave, .elementsPerThread = 16, .cluster = 8};
  EXPECT_EQ(clusters.blocks(0, 512), 8u);
  EXPECT_EQ(clusters.blocks(16384, 512), 8u);
  EXPECT_EQ(clusters.blocks(9 * 8192, 512), 16u);
  EXPECT_EQ(clusters.blocks(1u << 21, 512), 256u);
  EXPECT_EQ(findVariant("cluster_sum")->firstElements(512), 4u * 8 * 8192) << "four clusters' loads";
  const auto launches =
      planRun(*findVariant("cluster_sum"), {.variant = "cluster_sum", .elements = 1}).launches;
  EXPECT_EQ(launches.at(0).cluster, 8u);
  EXPECT_EQ(launches.at(0).grid.count(), 8u);
}

TEST(LaunchRules, StridingBlocksHandTheirResultsToTheBlockThatReadsThem) {
  // 2^25 elements: 10,240 results, which 5 blocks of 256 threads read, 256 neighbours each at a time.
  const Variant& variant = *findVariant("grid_stride");
  const model::Experiment experiment{
      .variant = "grid_stride", .threads = 256, .elements = 1u << 25, .launch = 0, .block = 2000};
  const auto launches = planRun(variant, experiment).launches;
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].grid.count(), 10240u);
  EXPECT_EQ(launches[1].grid.count(), 5u);
  EXPECT_EQ(launches[1].inspected, 2000u / 256 % 5);
  EXPECT_EQ(launches[2].grid.count(), 1u);
}

// A wrong identity shows where places without an element hold it, or threads begin with it.
TEST(UsesIdentity, WhereSomethingIsFilledUpOrBegunWithIt) {
  const auto uses = [](const char* id, unsigned threads, std::uint64_t elements) {
    return usesIdentity(*findVariant(id), {.variant = id, .threads = threads, .elements = elements});
  };
  EXPECT_FALSE(uses("sequential", 64, 64));
  EXPECT_TRUE(uses("sequential", 64, 63));
  EXPECT_TRUE(uses("sequential", 64, 128)) << "the second launch has two elements for 64 threads";
  EXPECT_FALSE(uses("sequential", 64, 64 * 64));
  EXPECT_FALSE(uses("first_add_on_load", 64, 128));
  EXPECT_TRUE(uses("first_add_on_load", 64, 64));
  EXPECT_FALSE(uses("many_blocks", 8, 64)) << "its condition is always true";
  EXPECT_TRUE(uses("many_blocks", 8, 60));
  EXPECT_FALSE(uses("warp_padded", 32, 32)) << "nobody needs what its padding becomes";
  for (const char* id : {"warp_shuffle", "grid_stride", "single_pass", "tile_columns", "left_to_right"})
    EXPECT_TRUE(uses(id, findVariant(id)->defaultThreads, 1024)) << id;
}

}  // namespace
}  // namespace stridescope::kernels
