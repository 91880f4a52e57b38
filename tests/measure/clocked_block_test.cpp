// How a block is clocked: which launch, which block, how often, and what is made of the marks. A stand-in
// takes the place of the clock.
#include <gmock/gmock.h>

#include <algorithm>

#include "measure/gpu/gpu_timing_device.h"
#include "stand_in_runner.h"

namespace stridescope::measure::gpu {
namespace {

using model::Mark;
using model::MarkKind;
using testing::HasSubstr;
using testing::SizeIs;

const model::Executor kGpu{.kind = model::EngineKind::Gpu, .device = "A GPU", .computeCapability = "9.0"};

struct ClockedBlocks : testing::Test {
  ClockedBlocks() {
    runner.clockedRun = [this](std::span<std::uint8_t> result) {
      // Warp w begins at 1000 + w, comes to a barrier, goes on, and ends; later in every other run.
      for (std::size_t w = 0; w * kMarksOfAWarp * sizeof(Mark) < result.size(); ++w) {
        const std::uint64_t begin = 1000 + w, late = ran % 2 == 0 ? 0 : 10 * ran;
        const std::vector<Mark> marks{{begin, 0, MarkKind::Start},
                                      {begin + 100, 3, MarkKind::Arrive},
                                      {begin + 130, 3, MarkKind::Leave},
                                      {begin + 150 + late, 0, withoutEnd ? MarkKind::Leave : MarkKind::End}};
        std::memcpy(result.data() + w * kMarksOfAWarp * sizeof(Mark), marks.data(),
                    marks.size() * sizeof(Mark));
      }
      return double(++ran);
    };
  }
  Result<model::ClockRecord> clock(const std::string& variant, model::ClockedGrid company) {
    engine::JobControl job;
    job.cancel = cancelled;
    return clockBlock(runner, {.variant = variant, .threads = 64}, company, kGpu, job);
  }

  StandInRunner runner;
  std::uint64_t ran = 0;
  bool withoutEnd = false, cancelled = false;
};

TEST_F(ClockedBlocks, AloneAreTheOnlyOnesOfTheirLaunch) {
  const auto record = clock("sequential", model::ClockedGrid::Alone);
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(model::faultOf(*record), std::nullopt);
  EXPECT_EQ(record->elements, 64u);
  EXPECT_EQ(record->grid, 1u);
  EXPECT_EQ(record->block, 0u);
  EXPECT_EQ(record->executor, kGpu);
  EXPECT_EQ(runner.control.inspectedBlock, 0u);
  EXPECT_EQ(runner.control.limit, kMarksOfAWarp);
  EXPECT_THAT(record->firstWarp, SizeIs(kClockedRuns));
  EXPECT_EQ(ran, kClockedRuns + kClockedWarmUps);
  EXPECT_EQ(record->cleanMicroseconds, 1);
  EXPECT_EQ(record->clockedMicroseconds, double(kClockedWarmUps + 1 + kClockedRuns / 2)) << "the median";
}

TEST_F(ClockedBlocks, OfAFullGridAreTheOnesInItsMiddle) {
  const auto record = clock("sequential", model::ClockedGrid::Full);
  ASSERT_TRUE(record) << record.error().sentence;
  EXPECT_EQ(record->elements, model::kFullGridElements);
  EXPECT_EQ(record->grid, model::kFullGridElements / 64);
  EXPECT_EQ(record->block, record->grid / 2);
  EXPECT_EQ(runner.control.inspectedBlock, record->block);
}

TEST_F(ClockedBlocks, AreShownInTheRunThatTookTheMedian) {
  const auto record = clock("sequential", model::ClockedGrid::Alone);
  ASSERT_TRUE(record) << record.error().sentence;
  ASSERT_THAT(record->warps, SizeIs(2));
  std::vector<std::uint64_t> spans;
  for (const model::WarpMarks& marks : record->firstWarp)
    spans.push_back(marks.back().clock - marks.front().clock);
  std::ranges::sort(spans);
  EXPECT_EQ(record->warps[0].back().clock - record->warps[0].front().clock, spans[spans.size() / 2]);
  EXPECT_EQ(record->warps[0].front().clock, 0u) << "counted from the first mark";
  EXPECT_EQ(record->warps[1].front().clock, 1u);
}

TEST_F(ClockedBlocks, OfBugsAndMergesThereAreNone) {
  const auto wrong = clock("missing_barrier", model::ClockedGrid::Alone);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::Usage);
  EXPECT_THAT(wrong.error().sentence, HasSubstr("common bug"));
  const auto merge = clock("k_way_merge", model::ClockedGrid::Alone);
  ASSERT_FALSE(merge);
  EXPECT_THAT(merge.error().sentence, HasSubstr("merge"));
  EXPECT_EQ(ran, 0u);
}

TEST_F(ClockedBlocks, WithoutAnEndAreNotBelieved) {
  withoutEnd = true;
  const auto record = clock("sequential", model::ClockedGrid::Alone);
  ASSERT_FALSE(record);
  EXPECT_THAT(record.error().sentence, HasSubstr("no end"));
}

TEST_F(ClockedBlocks, EndWhenTheyAreCancelled) {
  cancelled = true;
  const auto record = clock("sequential", model::ClockedGrid::Alone);
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(ran, 0u);
}

}  // namespace
}  // namespace stridescope::measure::gpu
