#include "measure/timing_rows.h"

#include <gtest/gtest.h>

namespace stridescope::measure {
namespace {

TimingPoint at(std::uint64_t elements, unsigned threads) {
  TimingPoint point;
  point.timingCase.elements = elements;
  point.timingCase.threads = threads;
  return point;
}

// One subject's recorded times: for both sizes in its default blocks, for the first in others, too.
TimingSnapshot recorded() {
  TimingSnapshot snapshot;
  TimingSeries series;
  series.subject.id = "sequential";
  series.source = SeriesSource::Recorded;
  series.points = {at(1024, 0), at(1024, 64), at(1024, 128), at(2048, 0)};
  snapshot.plan.subjects = {series.subject};
  snapshot.plan.sizes = {1024};
  snapshot.series = {series};
  return snapshot;
}

TEST(TimeRows, OfARecordingAreThePlans) {
  TimingSnapshot snapshot = recorded();
  ASSERT_EQ(timeRows(snapshot).size(), 1u);
  EXPECT_EQ(timeRows(snapshot)[0].point->timingCase.threads, 0u);
  snapshot.plan.threads = {128, 64};
  ASSERT_EQ(timeRows(snapshot).size(), 2u);
  EXPECT_EQ(timeRows(snapshot)[0].point->timingCase.threads, 128u);
  snapshot.plan.subjects.clear();
  EXPECT_TRUE(timeRows(snapshot).empty());
}

TEST(TimeRows, ThatAreLiveAreAllThereIs) {
  TimingSnapshot snapshot = recorded();
  snapshot.series[0].source = SeriesSource::Live;
  EXPECT_EQ(timeRows(snapshot).size(), 4u);
}

}  // namespace
}  // namespace stridescope::measure
