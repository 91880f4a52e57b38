#include <gtest/gtest.h>

#include "measure/timing_rows.h"

namespace stridescope::measure {
namespace {

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

TimedExperiment timed(const std::string& variant, unsigned threads = 256, const std::string& device = "") {
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.threads = threads;
  return {experiment, device};
}

// "2^24: 120 recorded A | 80 live B"
std::string told(const ComparedTimes& times) {
  const auto one = [](const std::optional<ComparedTime>& time) {
    return time ? std::to_string(int(time->microseconds)) + (time->live ? " live " : " recorded ") +
                      time->device
                : std::string("-");
  };
  return std::to_string(times.elements) + ": " + one(times.left) + " | " + one(times.right);
}

TEST(ComparedTimes, OfAsManyElementsWhereBothHaveThem) {
  TimingSnapshot snapshot;
  snapshot.series = {series("a", SeriesSource::Recorded, "X", {pointAt(1024, 4), pointAt(kSize, 120)}),
                     series("b", SeriesSource::Recorded, "X", {pointAt(1024, 3), pointAt(kSize, 80)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"), kSize)),
            "16777216: 120 recorded X | 80 recorded X");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"), 1024)), "1024: 4 recorded X | 3 recorded X");
  snapshot.series[1].points.pop_back();
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"), kSize)),
            "1024: 4 recorded X | 3 recorded X");
  snapshot.series[1].points[0].timingCase.elements = 2048;
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"), kSize)), "16777216: 120 recorded X | -")
      << "no size in common";
  EXPECT_EQ(told(comparedTimes(snapshot, timed("c"), timed("b"), kSize)), "2048: - | 3 recorded X");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("c"), timed("d"), kSize)), "0: - | -");
}

TEST(ComparedTimes, TheBlockSizeTypeAndSwitchesMustBeTheirs) {
  TimingSnapshot snapshot;
  snapshot.series = {
      series("a", SeriesSource::Recorded, "X", {pointAt(kSize, 120), pointAt(kSize, 90, 512)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("a", 512), kSize)),
            "16777216: 120 recorded X | 90 recorded X");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 128), timed("a", 128), kSize)), "0: - | -");
  TimedExperiment floats = timed("a");
  floats.experiment.type = model::ElementType::Float;
  EXPECT_EQ(told(comparedTimes(snapshot, floats, floats, kSize)), "0: - | -");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("a"), kSize, true)), "0: - | -") << "a warm L2";
  TimedExperiment custom = timed("a");
  custom.experiment.op = model::Operator::Custom;
  EXPECT_EQ(told(comparedTimes(snapshot, custom, custom, kSize)), "0: - | -");
}

TEST(ComparedTimes, LiveOnesFirstButOfOneOriginWhereThatCanBe) {
  TimingSnapshot snapshot;
  snapshot.series = {series("a", SeriesSource::Live, "Y", {pointAt(kSize, 70)}),
                     series("a", SeriesSource::Recorded, "X", {pointAt(kSize, 120)}),
                     series("b", SeriesSource::Recorded, "X", {pointAt(kSize, 80)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"), kSize)),
            "16777216: 120 recorded X | 80 recorded X");
  snapshot.series.push_back(series("b", SeriesSource::Live, "Y", {pointAt(kSize, 50)}));
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a"), timed("b"), kSize)), "16777216: 70 live Y | 50 live Y");
}

// One GPU's recording beside another GPU.
TEST(ComparedTimes, OfTheGpusThatExecuteTheSides) {
  TimingSnapshot snapshot;
  snapshot.series = {series("a", SeriesSource::Recorded, "X", {pointAt(kSize, 120)}),
                     series("a", SeriesSource::Recorded, "Y", {pointAt(kSize, 80)})};
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "X"), timed("a", 256, "Y"), kSize)),
            "16777216: 120 recorded X | 80 recorded Y");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "Y"), timed("a"), kSize)),
            "16777216: 80 recorded Y | 80 recorded Y");
  EXPECT_EQ(told(comparedTimes(snapshot, timed("a", 256, "Z"), timed("a", 256, "Y"), kSize)),
            "16777216: 120 recorded X | 80 recorded Y");
}

}  // namespace
}  // namespace stridescope::measure
