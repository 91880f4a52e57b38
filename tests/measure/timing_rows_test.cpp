#include "measure/timing_rows.h"

#include <gtest/gtest.h>

#include "measure/timing_data.h"

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

constexpr std::uint64_t kSize = 1 << 24;

TimingPoint pointAt(std::uint64_t elements, double median, unsigned threads = 256) {
  TimingPoint point;
  point.timingCase.elements = elements;
  point.threads = threads;
  point.time.count = 3;
  point.time.median = median;
  return point;
}

TimingSeries series(const std::string& id, SeriesSource source, const std::string& device,
                    std::vector<TimingPoint> points) {
  TimingSeries made;
  made.subject = {.kind = model::SubjectKind::Variant, .id = id};
  made.source = source;
  made.executor = {.kind = model::EngineKind::Gpu, .device = device};
  made.points = std::move(points);
  return made;
}

TimedExperiment timed(const std::string& variant, unsigned threads = 256, const std::string& device = "",
                      std::uint64_t elements = kSize) {
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.threads = threads;
  return {experiment, device, elements};
}

// "2^24: 120 recorded A | 80 live B"
std::string told(const ComparedTimes& times) {
  const auto one = [](const std::optional<ComparedTime>& time) {
    return time ? std::to_string(int(time->microseconds)) + (time->live ? " live " : " recorded ") +
                      time->device
                : std::string("-");
  };
  const auto elements = [](const std::optional<ComparedTime>& time) {
    return time ? time->elements : std::uint64_t{0};
  };
  const std::uint64_t left = elements(times.left), right = elements(times.right);
  const std::string n = left > 0 && right > 0 && left != right
                            ? std::to_string(left) + " and " + std::to_string(right)
                            : std::to_string(std::max(left, right));
  return n + ": " + one(times.left) + " | " + one(times.right);
}

TEST(ComparedTimes, OfAsManyElementsWhereBothHaveThem) {
  TimingSnapshot snapshot;
  snapshot.series = {series("a", SeriesSource::Recorded, "X", {pointAt(1024, 4), pointAt(kSize, 120)}),
                     series("b", SeriesSource::Recorded, "X", {pointAt(1024, 3), pointAt(kSize, 80)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"))),
            "16777216: 120 recorded X | 80 recorded X");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "", 1024), timed("b", 256, "", 1024))),
            "1024: 4 recorded X | 3 recorded X");
  snapshot.series[1].points.pop_back();
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"))), "1024: 4 recorded X | 3 recorded X");
  snapshot.series[1].points[0].timingCase.elements = 2048;
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"))), "16777216: 120 recorded X | -")
      << "no size in common";
  EXPECT_EQ(told(comparedTimes(snapshot, timed("c"), timed("b"))), "2048: - | 3 recorded X");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("c"), timed("d"))), "0: - | -");
}

// Factors count: 5000 is nearer to 4096 than to 8192, and 3000 to 4096 than to 2048.
TEST(ComparedTimes, TheNearestSizeWhereThereIsNoneOfTheOneAskedFor) {
  TimingSnapshot snapshot;
  for (const char* id : {"a", "b"})
    snapshot.series.push_back(
        series(id, SeriesSource::Recorded, "X", {pointAt(2048, 2), pointAt(4096, 4), pointAt(8192, 8)}));
  const auto at = [&](std::uint64_t n) {
    return told(comparedTimes(snapshot, timed("a", 256, "", n), timed("b", 256, "", n)));
  };
  EXPECT_EQ(at(5000), "4096: 4 recorded X | 4 recorded X");
  EXPECT_EQ(at(3000), "4096: 4 recorded X | 4 recorded X");
  EXPECT_EQ(at(1), "2048: 2 recorded X | 2 recorded X");
  EXPECT_EQ(at(kSize), "8192: 8 recorded X | 8 recorded X");
  snapshot.series[1].points.pop_back();
  EXPECT_EQ(at(kSize), "4096: 4 recorded X | 4 recorded X") << "of a size that both have";
}

TEST(ComparedTimes, EachSideAtItsOwnSizeWhereTheyAskForTwo) {
  TimingSnapshot snapshot;
  for (const char* id : {"a", "b"})
    snapshot.series.push_back(
        series(id, SeriesSource::Recorded, "X", {pointAt(1024, 4), pointAt(kSize, 120)}));
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "", 1024), timed("b"))),
            "1024 and 16777216: 4 recorded X | 120 recorded X");
}

TEST(TimedElements, AreThoseOfTheExperimentUnlessItHasOneBlocksLoad) {
  model::Experiment experiment{.variant = "sequential", .threads = 128, .elements = 128};
  EXPECT_EQ(timedElements(experiment), kDefaultTimedElements);
  for (const std::uint64_t n : {1ull, 127ull, 129ull, 256ull, 1ull << 20}) {
    experiment.elements = n;
    EXPECT_EQ(timedElements(experiment), n);
  }
}

TEST(ComparedTimes, TheBlockSizeTypeAndSwitchesMustBeTheirs) {
  TimingSnapshot snapshot;
  snapshot.series = {
      series("a", SeriesSource::Recorded, "X", {pointAt(kSize, 120), pointAt(kSize, 90, 512)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("a", 512))),
            "16777216: 120 recorded X | 90 recorded X");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 128), timed("a", 128))), "0: - | -");
  TimedExperiment floats = timed("a");
  floats.experiment.type = model::ElementType::Float;
  EXPECT_EQ(told(comparedTimes(snapshot, floats, floats)), "0: - | -");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("a"), true)), "0: - | -") << "a warm L2";
  TimedExperiment custom = timed("a");
  custom.experiment.op = model::Operator::Custom;
  EXPECT_EQ(told(comparedTimes(snapshot, custom, custom)), "0: - | -");
}

TEST(ComparedTimes, LiveOnesFirstButOfOneOriginWhereThatCanBe) {
  TimingSnapshot snapshot;
  snapshot.series = {series("a", SeriesSource::Live, "Y", {pointAt(kSize, 70)}),
                     series("a", SeriesSource::Recorded, "X", {pointAt(kSize, 120)}),
                     series("b", SeriesSource::Recorded, "X", {pointAt(kSize, 80)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"))),
            "16777216: 120 recorded X | 80 recorded X");
  snapshot.series.push_back(series("b", SeriesSource::Live, "Y", {pointAt(kSize, 50)}));
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"))), "16777216: 70 live Y | 50 live Y");
}

// One GPU's recording beside another GPU.
TEST(ComparedTimes, OfTheGpusThatExecuteTheSides) {
  TimingSnapshot snapshot;
  snapshot.series = {series("a", SeriesSource::Recorded, "X", {pointAt(kSize, 120)}),
                     series("a", SeriesSource::Recorded, "Y", {pointAt(kSize, 80)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "X"), timed("a", 256, "Y"))),
            "16777216: 120 recorded X | 80 recorded Y");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "Y"), timed("a"))),
            "16777216: 80 recorded Y | 80 recorded Y");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "Z"), timed("a", 256, "Y"))),
            "16777216: 120 recorded X | 80 recorded Y");
}

}  // namespace
}  // namespace stridescope::measure
