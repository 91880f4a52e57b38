#include "timing/sample_ring.h"

#include <gtest/gtest.h>

namespace stridescope {
namespace {

TEST(SampleRing, KeepsAllUntilItIsFull) {
  SampleRing ring;
  for (std::uint32_t i = 1; i <= 3; ++i) ring.add({i, float(i)}, float(i) / 2);
  EXPECT_EQ(ring.samples(), (std::vector<TimingSample>{{1, 1}, {2, 2}, {3, 3}}));
  EXPECT_EQ(ring.seconds(), (std::vector<float>{0.5f, 1, 1.5f}));
}

TEST(SampleRing, KeepsTheNewestOfAMillionInTheSameMemory) {
  SampleRing ring;
  for (std::uint32_t i = 1; i <= 1'000'000; ++i) ring.add({i, float(i)}, 0);
  EXPECT_EQ(ring.taken(), 1'000'000u);
  const auto kept = ring.samples();
  ASSERT_EQ(kept.size(), kKeptSamples);
  EXPECT_EQ(kept.back().turn, 1'000'000u);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i].turn, 1'000'000 - kKeptSamples + 1 + i);
}

}  // namespace
}  // namespace stridescope
