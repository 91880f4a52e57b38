// How a grid is marked, and what is made of the marks; and how a run is timed beside empty kernels. A
// stand-in takes the place of the GPU.
#include "measure/gpu/grid_run.h"

#include <gmock/gmock.h>

#include <cstring>

#include "clocking/clock_control.h"
#include "stand_in_runner.h"

namespace stridescope::measure::gpu {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

const model::Executor kMarkedGpu{
    .kind = model::EngineKind::Gpu, .device = "A GPU", .computeCapability = "9.0"};

// The timer shows 5 000 000 001 000 before the moment and 1200 ns later after it, so the moment is at its
// middle; the first event comes 2 us later. Each block starts 400 ns after the event and later by its number.
constexpr std::uint64_t kBefore = 5'000'000'001'000, kAfter = kBefore + 1200, kEvent = kBefore + 600 + 2000;

struct MarkedGrids : testing::Test {
  MarkedGrids() {
    runner.sinceMoment = 2;
    runner.facts.multiprocessors = 132;
    runner.clockedRun = [this](std::span<std::uint8_t> result) {
      std::memcpy(result.data(), &kBefore, sizeof kBefore);
      std::memcpy(result.data() + 8, &kAfter, sizeof kAfter);
      for (std::size_t at = 16, block = 0; at < result.size(); at += sizeof(clocking::BlockMark), ++block) {
        clocking::BlockMark mark;
        mark.start = unsigned(kEvent + early + 400 + block);
        mark.end = mark.start + 96;
        mark.multiprocessor = unsigned(block % 132);
        std::memcpy(result.data() + at, &mark, sizeof mark);
      }
      return double(10 + ++ran);
    };
  }
  Result<model::TimelineRecord> mark(const model::Experiment& experiment) {
    engine::JobControl job;
    job.cancel = cancelled;
    return markGrid(runner, experiment, kMarkedGpu, emptying, job);
  }

  StandInRunner runner;
  std::uint64_t ran = 0, early = 0;
  bool cancelled = false;
  std::optional<TimedLaunch> emptying;
};

TEST_F(MarkedGrids, HaveEveryBlockOfEveryLaunch) {
  const auto record = mark({.variant = "sequential", .threads = 64, .elements = 64 * 64 * 2});
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(model::faultOf(*record), std::nullopt);
  ASSERT_THAT(record->launches, SizeIs(3));
  EXPECT_THAT(record->launches[0].blocks, SizeIs(128));
  EXPECT_THAT(record->launches[1].blocks, SizeIs(2));
  EXPECT_THAT(record->launches[2].blocks, SizeIs(1));
  EXPECT_EQ(record->launches[0].residentBlocks, 32u) << "as the stand-in says";
  EXPECT_EQ(record->launches[0].blocks[5], (model::BlockRun{405, 96, 5}));
  EXPECT_EQ(record->launches[1].blocks[0], (model::BlockRun{528, 96, 128}));
  EXPECT_EQ(record->multiprocessors, 132u);
  EXPECT_EQ(record->executor, kMarkedGpu);
}

TEST_F(MarkedGrids, CountFromTheFirstEventAsExactlyAsItIsPlaced) {
  const auto record = mark({.variant = "sequential", .threads = 64, .elements = 64});
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(record->launches[0].blocks[0].start, 400u);
  EXPECT_EQ(record->placedWithin, 600u);
}

// The placing may be off by more than lies between the event and the first block.
TEST_F(MarkedGrids, HaveNoBlockBeforeTheFirstEvent) {
  early = std::uint64_t(-900);
  const auto record = mark({.variant = "sequential", .threads = 64, .elements = 128});
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(record->launches[0].blocks[0].start, 0u);
  EXPECT_EQ(record->launches[0].blocks[1].start, 1u);
}

TEST_F(MarkedGrids, KeepTheRunWithTheMedianTime) {
  const auto record = mark({.variant = "sequential", .threads = 64, .elements = 64});
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(ran, kMarkedRuns + kMarkedWarmUps);
  EXPECT_EQ(record->runs, kMarkedRuns);
  const double median = 10 + kMarkedWarmUps + 1 + kMarkedRuns / 2;
  EXPECT_EQ(record->markedMicroseconds, median);
  EXPECT_EQ(record->nanoseconds, std::uint64_t(median * 1000));
  EXPECT_EQ(record->cleanMicroseconds, 1) << "the stand-in's";
}

// Eight L2 caches are read between two uses of one copy: what lies in L2 would be read in half the time.
TEST_F(MarkedGrids, TakeAnotherCopyOfTheInputForEachRun) {
  runner.facts.l2Bytes = 1 << 16;
  runner.facts.freeBytes = 1 << 30;
  emptying = TimedLaunch{.kernel = nullptr, .grid = 7, .block = 512};
  constexpr std::size_t kBytes = 4096 * 4;
  ASSERT_TRUE(mark({.variant = "sequential", .threads = 64, .elements = 4096}));
  ASSERT_EQ(runner.inputs.size(), 2 * (kMarkedRuns + kMarkedWarmUps));
  const std::size_t copies = 8 * (1 << 16) / kBytes;
  for (std::size_t i = 1; i < runner.inputs.size(); ++i)
    for (std::size_t back = 1; back < std::min(i + 1, copies); ++back) {
      const std::uint64_t a = runner.inputs[i], b = runner.inputs[i - back];
      EXPECT_GE(std::max(a, b) - std::min(a, b), kBytes) << i << " and " << back << " before";
    }
  ASSERT_NE(runner.plan.inputPlace, 0u);
  const auto& launch = std::get<TimedLaunch>(runner.plan.steps.front());
  EXPECT_EQ(std::ranges::count(launch.arguments, runner.plan.inputPlace), 1);
  EXPECT_FALSE(std::holds_alternative<TimedLaunch>(runner.plan.before.front()) &&
               std::get<TimedLaunch>(runner.plan.before.front()).grid.x == 7);
}

TEST_F(MarkedGrids, EmptyTheCacheBeforeEachRunInPlace) {
  emptying = TimedLaunch{.kernel = nullptr, .grid = 7, .block = 512};
  ASSERT_TRUE(mark({.variant = "global_memory", .threads = 64, .elements = 64}));
  EXPECT_EQ(runner.inputs, std::vector<std::uint64_t>(runner.inputs.size(), 0));
  runner.plan.before.erase(runner.plan.before.begin());  // the copy of what it works on
  const auto* const launch = std::get_if<TimedLaunch>(&runner.plan.before.front());
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(launch->grid.x, 7u);
  EXPECT_TRUE(std::holds_alternative<TimedMoment>(runner.plan.before[2]));
}

TEST_F(MarkedGrids, AreRefusedWithASentence) {
  for (const auto& [experiment, why] : std::vector<std::pair<model::Experiment, const char*>>{
           {{.variant = "missing_barrier", .threads = 64, .elements = 64}, "common bug"},
           {{.variant = "k_way_merge", .op = model::Operator::Min, .threads = 32, .elements = 64},
            "merges lists"},
           {{.variant = "sequential", .threads = 32, .elements = 1ull << 30}, "is the most"}}) {
    const auto record = mark(experiment);
    ASSERT_FALSE(record) << experiment.variant;
    EXPECT_EQ(record.error().kind, ErrorKind::Usage);
    EXPECT_THAT(record.error().sentence, HasSubstr(why));
  }
}

TEST_F(MarkedGrids, EndWhenCancelled) {
  cancelled = true;
  const auto record = mark({.variant = "sequential", .threads = 64, .elements = 64});
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::Cancelled);
}

TEST(CostedRun, HasTheSameGridsWithEmptyKernels) {
  StandInRunner runner;
  engine::JobControl job;
  const model::GpuLimits limits{.multiprocessors = 132, .latencyNanoseconds = 500};
  const auto record = costRun(runner, {.variant = "sequential", .threads = 64, .elements = 64 * 64 * 2},
                              kMarkedGpu, limits, std::nullopt, job);
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(model::faultOf(*record), std::nullopt);
  EXPECT_EQ(record->limits, limits);
  EXPECT_EQ(record->runs, kCostedRuns);
  EXPECT_EQ(record->launches,
            (std::vector<model::LaunchCost>{{128, 64, 16, 32}, {2, 64, 16, 32}, {1, 64, 16, 32}}));
  // The last plan that was made is the empty kernels'.
  ASSERT_THAT(runner.plan.steps, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& launch = std::get<TimedLaunch>(runner.plan.steps[i]);
    EXPECT_THAT(launch.arguments, testing::IsEmpty());
    EXPECT_EQ(launch.grid.count(), record->launches[i].grid);
    EXPECT_EQ(launch.sharedBytes, 64 * sizeof(int));
  }
}

TEST(CostedRun, IsRefusedForMerges) {
  StandInRunner runner;
  engine::JobControl job;
  const auto record =
      costRun(runner, {.variant = "k_way_merge", .op = model::Operator::Min, .threads = 32, .elements = 64},
              kMarkedGpu, {}, std::nullopt, job);
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::Usage);
}

// What is launched to read counters, with a stand-in for the GPU.

const model::Executor kCounted{.kind = model::EngineKind::Gpu, .device = "A GPU", .computeCapability = "9.0"};

TEST(CountedRun, HasEveryLaunchOfTheReduction) {
  StandInRunner runner;
  const auto record = countRun(
      runner, {.variant = "sequential", .threads = 64, .elements = 64 * 64 * 2, .block = 1}, kCounted);
  ASSERT_TRUE(record) << record.error().sentence;
  // 128 blocks leave 128 values, 2 blocks leave 2, and one block the result.
  ASSERT_EQ(record->launches.size(), 3u);
  EXPECT_EQ(record->launches[0].grid, 128u);
  EXPECT_EQ(record->launches[1].grid, 2u);
  EXPECT_EQ(record->launches[2].grid, 1u);
  EXPECT_EQ(record->launches[0].block, 64u);
  EXPECT_EQ(record->launches[0].find(model::Counter::Instructions), 3.0);
  EXPECT_EQ(record->executor, kCounted);
  EXPECT_EQ(runner.plan.steps.size(), 3u);
}

// Blocks add to one word: a run begins with the identity in it.
TEST(CountedRun, SetsBackWhatLaunchesChange) {
  StandInRunner runner;
  const auto record = countRun(runner, {.variant = "many_blocks", .threads = 64, .elements = 256}, kCounted);
  ASSERT_TRUE(record) << record.error().sentence;
  const auto inPlace =
      countRun(runner, {.variant = "global_memory", .threads = 64, .elements = 64}, kCounted);
  ASSERT_TRUE(inPlace) << inPlace.error().sentence;
  EXPECT_EQ(runner.plan.before.size(), 1u);
}

TEST(CountedRun, RefusesWhatDemonstratesABug) {
  StandInRunner runner;
  const auto record =
      countRun(runner, {.variant = "divergent_barrier", .threads = 64, .elements = 64}, kCounted);
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::Usage);
  EXPECT_THAT(record.error().sentence, testing::HasSubstr("common bug"));
}

}  // namespace
}  // namespace stridescope::measure::gpu
