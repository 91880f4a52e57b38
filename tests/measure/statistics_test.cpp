#include "measure/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace stridescope::measure {
namespace {

TEST(Statistics, OfNothingIsNothing) {
  EXPECT_EQ(summarize({}), Summary{});
  EXPECT_FALSE(ratioOf({}, {}));
}

TEST(Statistics, QuartilesInterpolate) {
  const std::vector<float> values{9, 1, 4, 2};  // sorted 1 2 4 9
  const Summary summary = summarize(values);
  EXPECT_EQ(summary.count, 4u);
  EXPECT_DOUBLE_EQ(summary.least, 1);
  EXPECT_DOUBLE_EQ(summary.lowerQuartile, 1.75);
  EXPECT_DOUBLE_EQ(summary.median, 3);
  EXPECT_DOUBLE_EQ(summary.upperQuartile, 5.25);
}

TEST(Statistics, OneSampleIsItsOwnInterval) {
  const std::vector<float> values{7};
  EXPECT_EQ(summarize(values).medianInterval, (Interval{7, 7}));
}

// The median of three draws from three values is at most the least value only if two or three draws are it: 3
// (1/3)^2 (2/3) + (1/3)^3 = 7/27 > 2.5 %; so every interval of three values spans them all.
TEST(Statistics, IntervalOfThreeSpansAll) {
  const std::vector<float> values{3, 1, 2};
  EXPECT_EQ(summarize(values).medianInterval, (Interval{1, 3}));
}

// The reference: resampling, with as many resamples as make its noise small against the gaps between samples.
Interval resampled(const std::vector<float>& sorted, unsigned resamples, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::size_t> draw(0, sorted.size() - 1);
  std::vector<float> medians, one(sorted.size());
  for (unsigned i = 0; i < resamples; ++i) {
    for (float& value : one) value = sorted[draw(random)];
    std::ranges::nth_element(one, one.begin() + std::ptrdiff_t(one.size() / 2));
    medians.push_back(one[one.size() / 2]);
  }
  std::ranges::sort(medians);
  return {double(medians[std::size_t(0.025 * resamples)]), double(medians[std::size_t(0.975 * resamples)])};
}

TEST(Statistics, IntervalIsWhatResamplingComesTo) {
  for (const std::size_t count : {5u, 21u, 101u, 501u}) {
    std::vector<float> sorted(count);
    for (std::size_t i = 0; i < count; ++i) sorted[i] = float(i);  // a value is its rank
    const MedianRanks exact = medianRanks(count);
    const Interval drawn = resampled(sorted, 40'000, count);
    EXPECT_NEAR(double(exact.low), drawn.low, 1) << count;
    EXPECT_NEAR(double(exact.high), drawn.high, 1) << count;
  }
}

// A binomial with p about 1/2 is nearly normal: the ranks lie 1.96 sqrt(n) / 2 from the middle.
TEST(Statistics, IntervalOfManyIsTheNormalOne) {
  const MedianRanks ranks = medianRanks(4096);
  EXPECT_NEAR(double(ranks.low), 2048 - 1.96 * 32, 3);
  EXPECT_NEAR(double(ranks.high), 2048 + 1.96 * 32, 3);
}

// Selecting the ranks gives what sorting all does.
TEST(Statistics, AreThoseOfTheSortedValues) {
  std::mt19937_64 random(3);
  Summarizer summarizer;
  for (std::size_t count = 1; count < 300; count += 7) {
    std::vector<float> values(count);
    for (float& value : values) value = float(random() % 50);  // many are equal
    const Summary summary = summarizer.of(values);
    std::ranges::sort(values);
    const MedianRanks ranks = medianRanks(count);
    EXPECT_EQ(summary.least, double(values.front()));
    EXPECT_EQ(summary.median, (double(values[(count - 1) / 2]) + double(values[count / 2])) / 2);
    EXPECT_EQ(summary.medianInterval, (Interval{double(values[ranks.low]), double(values[ranks.high])}));
  }
}

TEST(Statistics, IntervalHoldsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(5);
  std::exponential_distribution<float> skewed(1);
  const double trueMedian = std::log(2.0);
  constexpr int kTrials = 2000;
  int held = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<float> values(41);
    for (float& value : values) value = skewed(random);
    const Interval interval = summarize(values).medianInterval;
    held += interval.low <= trueMedian && trueMedian <= interval.high;
  }
  EXPECT_GT(held, kTrials * 0.93);
  EXPECT_LT(held, kTrials * 0.985);
}

TEST(Ratio, UsesOnlyRepetitionsThatBothHave) {
  const std::vector<model::TimingSample> one{{1, 2}, {2, 3}, {4, 8}, {7, 5}}, other{{2, 6}, {3, 1}, {4, 4}};
  const auto ratio = ratioOf(one, other);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->pairs, 2u);
  EXPECT_DOUBLE_EQ(ratio->median, 1.25);  // the median of 0.5 and 2
  EXPECT_EQ(ratio->interval, (Interval{0.5, 2}));
}

// Each was sampled alone with a third one.
TEST(Ratio, PairsInTheOrderTakenWhereNoRepetitionHasBoth) {
  const std::vector<model::TimingSample> one{{1, 2}, {2, 4}, {3, 6}}, other{{11, 1}, {12, 1}};
  const auto ratio = ratioOf(one, other);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->pairs, 2u);
  EXPECT_DOUBLE_EQ(ratio->median, 3);
  EXPECT_FALSE(ratioOf(one, {}));
}

// A clock that slows down hits both of a repetition: the ratio does not notice, however large the spread.
TEST(Ratio, OfPairsCancelsDrift) {
  std::vector<model::TimingSample> one, other;
  for (std::uint32_t repetition = 1; repetition <= 200; ++repetition) {
    const float drift = 1 + float(repetition) / 50;
    one.push_back({repetition, 8 * drift});
    other.push_back({repetition, 10 * drift});
  }
  const auto ratio = ratioOf(one, other);
  ASSERT_TRUE(ratio);
  EXPECT_NEAR(ratio->interval.low, 0.8, 1e-6);
  EXPECT_NEAR(ratio->interval.high, 0.8, 1e-6);
}

}  // namespace
}  // namespace stridescope::measure
