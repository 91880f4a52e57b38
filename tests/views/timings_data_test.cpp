// What the panel draws, held against the formula that the times were made by.
#include "views/shared/timings_data.h"

#include <gtest/gtest.h>

#include <cmath>

#include "timings_fixture.h"
#include "views/measure/timings_look.h"

namespace stridescope::views {
namespace {

constexpr TimingFilter kIntSums{
    .type = model::ElementType::Int, .op = model::Operator::Add, .elements = 1u << 24};

TimingsPicture recordedPicture(const TimingFilter& filter = kIntSums) {
  const auto board = test::handMadeBoard();
  board->showRecorded(test::handMadeRecords());
  return timingsPicture(board->snapshot(), filter);
}
const TimingLine* lineNamed(const TimingsPicture& picture, std::string_view id) {
  for (const TimingLine& line : picture.lines)
    if (line.series->subject.id == id) return &line;
  return nullptr;
}

TEST(TimingsData, BucketsHoldTheMedianAndTheTenthAndNinetiethPercentile) {
  std::vector<float> seconds, microseconds;
  for (int i = 1; i <= 100; ++i) seconds.push_back(0.1f), microseconds.push_back(float(101 - i));
  seconds.push_back(2.6f), microseconds.push_back(7);
  const LiveLine line = liveLine(seconds, microseconds, 1);
  EXPECT_EQ(line.seconds, (std::vector<double>{0.5, 2.5})) << "an empty bucket is left out";
  EXPECT_EQ(line.low, (std::vector<double>{10, 7}));
  EXPECT_EQ(line.median, (std::vector<double>{50, 7}));
  EXPECT_EQ(line.high, (std::vector<double>{90, 7}));
}

TEST(TimingsData, CurvesAreTheMediansBySize) {
  const TimingsPicture picture = recordedPicture();
  EXPECT_TRUE(picture.hasRecorded);
  EXPECT_FALSE(picture.hasLive);
  for (const char* id : {"interleaved_modulo", "single_pass", "cub", "cpu_loop"}) {
    const TimingLine* line = lineNamed(picture, id);
    ASSERT_NE(line, nullptr) << id;
    ASSERT_EQ(line->bySize.at.size(), 10u);  // 2^10 to 2^28, every fourth
    for (std::size_t i = 0; i < 10; ++i) {
      const double elements = std::exp2(10 + 2 * double(i));
      EXPECT_EQ(line->bySize.at[i], elements);
      const double us = test::handMadeTime(line->series->subject, std::uint64_t(elements));
      EXPECT_NEAR(line->bySize.microseconds[i], us, us * 1e-6);
      EXPECT_NEAR(line->bySize.gigabytes[i], elements * 4 / us / 1e3, 1e-3 * elements * 4 / us / 1e3);
    }
    ASSERT_NE(line->rung, nullptr);
    EXPECT_EQ(line->rung->timingCase.elements, 1u << 24);
  }
  EXPECT_EQ(picture.readCeiling, test::kHandMadeCeiling);
  const TimingLine* line = lineNamed(picture, "sequential");
  EXPECT_EQ(line->byBlock.at, (std::vector<double>{32, 64, 128, 256, 512, 1024}));
  EXPECT_TRUE(lineNamed(picture, "cpu_loop")->byBlock.at.empty());
}

// The CPU's vector loop takes 0.2 + n / 6000 us, the GPU's single pass 5 + n / 700 000: equal at n = 29 048.
TEST(TimingsData, TheCrossoverIsWhereTheFastestOfBothMeet) {
  const TimingsPicture picture = recordedPicture();
  ASSERT_TRUE(picture.crossover);
  EXPECT_GT(picture.crossover->elements, 1u << 14);
  EXPECT_LT(picture.crossover->elements, 1u << 16) << "between the sizes on either side";
  EXPECT_NEAR(picture.crossover->microseconds, 5, 0.5);
}

// Neither is shown beside variants of one GPU.
TEST(TimingsData, TwoGpusAreShownBesideOneWhereAVariantOfSeveralIsChosen) {
  const auto board = test::handMadeBoard();
  board->showRecorded(test::handMadeRecords(), {}, test::handMadeGroups(), test::handMadeLinks());
  EXPECT_EQ(lineNamed(timingsPicture(board->snapshot(), kIntSums), "nvlink_message"), nullptr);
  TimingFilter filter = kIntSums;
  filter.gpus = 2;
  const TimingsPicture picture = timingsPicture(board->snapshot(), filter);
  EXPECT_EQ(picture.lines.size(), 4u);
  const TimingLine* const message = lineNamed(picture, "nvlink_message");
  ASSERT_NE(message, nullptr);
  EXPECT_EQ(message->series->links.size(), 1u);
  ASSERT_NE(lineNamed(picture, "one_gpu"), nullptr);
  ASSERT_TRUE(picture.crossover);
  EXPECT_EQ(picture.crossover->ahead, "2 GPUs");
  EXPECT_NEAR(picture.crossover->elements, 2e7, 2.5e6);
  EXPECT_NEAR(picture.crossover->microseconds, 40, 4);
  filter.arrays = true;
  EXPECT_TRUE(timingsPicture(board->snapshot(), filter).lines.empty());
  filter.arrays = false, filter.gpus = 4;
  EXPECT_TRUE(timingsPicture(board->snapshot(), filter).lines.empty());
}

TEST(TimingsData, OtherTypesAndSwitchesAreOtherTimes) {
  TimingFilter filter = kIntSums;
  filter.type = model::ElementType::Float;
  EXPECT_TRUE(recordedPicture(filter).lines.empty());
  filter = kIntSums;
  filter.warmL2 = true;
  EXPECT_TRUE(recordedPicture(filter).lines.empty());
  filter = kIntSums;
  filter.elements = 12345;
  EXPECT_EQ(recordedPicture(filter).ladderElements, 1u << 14) << "the nearest that was measured";
}

// A course's table and Harris' slides: their figures of gigabytes a second and speed-ups follow.
TEST(TimingsData, PublishedTimesSayCardAndYear) {
  const auto all = publishedTimes();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(labelOf(all[0]), "Tesla C2070, 2010");
  EXPECT_EQ(labelOf(all[1]), "2 x Xeon E5620, 2010");
  EXPECT_EQ(labelOf(all[2]), "G80, 2006");
  EXPECT_NEAR(1 / shareOfFirst(all[2], "grid_stride"), 30.04, 0.02) << "Harris: 30.04 times the first";
  EXPECT_NEAR(double(all[2].elements) * 4 / 268e3, 62.671, 0.1) << "GB/s";
  EXPECT_NEAR(1 / shareOfFirst(all[0], "unrolled_last_warp"), 8.12, 0.01);
  EXPECT_EQ(shareOfFirst(all[0], "single_pass"), 0) << "not printed";
  EXPECT_EQ(shareOfFirst(all[1], "cpu_openmp"), 0) << "a CPU has no first rung";
}

}  // namespace
}  // namespace stridescope::views
