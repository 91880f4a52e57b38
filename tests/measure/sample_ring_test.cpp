#include <gtest/gtest.h>

#include "measure/series_store.h"
#include "measure/statistics.h"

namespace stridescope::measure {
namespace {

TEST(SampleRing, KeepsAllUntilItIsFull) {
  SampleRing ring;
  for (std::uint32_t i = 1; i <= 3; ++i) ring.add({i, float(i)}, float(i) / 2);
  EXPECT_EQ(ring.samples(), (std::vector<model::TimingSample>{{1, 1}, {2, 2}, {3, 3}}));
  EXPECT_EQ(ring.seconds(), (std::vector<float>{0.5f, 1, 1.5f}));
}

TEST(SampleRing, KeepsTheNewestOfAMillionInTheSameMemory) {
  SampleRing ring;
  for (std::uint32_t i = 1; i <= 1'000'000; ++i) ring.add({i, float(i)}, 0);
  EXPECT_EQ(ring.taken(), 1'000'000u);
  const auto kept = ring.samples();
  ASSERT_EQ(kept.size(), kKeptSamples);
  EXPECT_EQ(kept.back().repetition, 1'000'000u);
  for (std::size_t i = 0; i < kept.size(); ++i)
    EXPECT_EQ(kept[i].repetition, 1'000'000 - kKeptSamples + 1 + i);
}

// Twelve lines at one case: a million samples later they hold no more than when their rings were full.
TEST(SeriesStore, HoldsTheSameBytesAfterAMillionSamples) {
  SeriesStore store;
  std::vector<model::TimingSubject> subjects(12);
  for (std::size_t i = 0; i < subjects.size(); ++i)
    subjects[i] = {model::SubjectKind::Variant, "v" + std::to_string(i)};
  store.begin(subjects);
  store.enter({.elements = 1 << 20});
  std::uint32_t repetition = 0;
  const auto sample = [&](std::uint32_t repetitions) {
    for (const std::uint32_t end = repetition + repetitions; repetition < end;)
      for (std::size_t i = 0, next = ++repetition; i < subjects.size(); ++i)
        store.add(i, {std::uint32_t(next), 20}, float(next));
  };
  sample(std::uint32_t(kKeptSamples));
  const std::size_t full = store.bytesHeld();
  EXPECT_GE(full, 12 * kKeptSamples * (sizeof(model::TimingSample) + sizeof(float)));
  EXPECT_LE(full, 2 * 12 * kKeptSamples * (sizeof(model::TimingSample) + sizeof(float)));
  sample(1'000'000 / 12);
  EXPECT_EQ(store.bytesHeld(), full);
  std::size_t shown = 0;
  for (const TimingSeries& series : store.series()) shown += series.recentMicroseconds.size();
  EXPECT_EQ(shown, 12 * kKeptSamples) << "nor does a snapshot grow";
}

}  // namespace
}  // namespace stridescope::measure
