// On a real GPU: what marks of blocks and empty kernels say holds together. Skipped without one.
#include <gtest/gtest.h>

#include <set>

#include "analysis/grid_timeline.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "measure/gpu/gpu_timing_device.h"
#include "model/timing_record.h"

namespace stridescope::measure {
namespace {

// Those that have one, at 2^20 elements.
std::vector<model::Experiment> measuredVariants() {
  std::vector<model::Experiment> experiments;
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.isWrong() || variant.merges()) continue;
    model::Experiment asked{.variant = std::string(variant.id),
                            .threads = variant.defaultThreads,
                            .elements = std::uint64_t{1} << 20};
    asked.data = kernels::defaultData(variant.id, asked.op);
    if (const auto checked = engine::checkedExperiment(asked, true)) experiments.push_back(*checked);
  }
  return experiments;
}

TEST(GpuGrid, IsMarkedWithinTheTimeOfItsEvents) {
  auto device = gpu::makeGpuTimingDevice(0);
  if (!device) GTEST_SKIP() << device.error().sentence;
  engine::JobControl job;
  unsigned marked = 0;
  for (const model::Experiment& experiment : measuredVariants()) {
    const auto record = (*device)->measure<model::TimelineRecord>(experiment, job);
    if (!record && record.error().kind == ErrorKind::Usage) continue;
    ASSERT_TRUE(record) << experiment.variant << ": " << record.error().sentence;
    EXPECT_EQ(model::faultOf(*record), std::nullopt);
    const analysis::GridTimeline timeline = analysis::gridTimelineOf(*record);
    // The first block starts after the first event, and the last one ends before the last, both as exactly as
    // the first event is placed; behind the last block there are at most 3 us.
    const std::uint64_t end = timeline.launches.back().time.end;
    EXPECT_LE(end, record->nanoseconds + record->placedWithin) << experiment.variant;
    EXPECT_LE(record->nanoseconds, end + record->placedWithin + 3000) << experiment.variant;
    EXPECT_LT(record->placedWithin, 5000u) << experiment.variant;
    for (std::size_t i = 0; i < timeline.launches.size(); ++i) {
      const analysis::LaunchTimes& times = timeline.launches[i];
      EXPECT_LE(times.used, record->multiprocessors) << experiment.variant;
      if (i == 0) continue;
      EXPECT_GE(times.time.begin, timeline.launches[i - 1].time.end)
          << experiment.variant << ": launches of one stream follow each other";
    }
    EXPECT_EQ(timeline.rows.size(), record->multiprocessors) << experiment.variant;
    // A multiprocessor holds no more blocks than the driver says fit.
    unsigned most = 0;
    for (const model::LaunchTimeline& launch : record->launches) most = std::max(most, launch.residentBlocks);
    EXPECT_LE(timeline.slots, most) << experiment.variant;
    ++marked;
  }
  EXPECT_GT(marked, 15u);
}

TEST(GpuGrid, ThePricesOfItsStepsAddUpToTheWhole) {
  auto device = gpu::makeGpuTimingDevice(0);
  if (!device) GTEST_SKIP() << device.error().sentence;
  engine::JobControl job;
  unsigned priced = 0;
  for (const model::Experiment& experiment : measuredVariants()) {
    const auto record = (*device)->measure<model::PeelRecord>(experiment, job);
    if (!record && record.error().kind == ErrorKind::Usage) continue;
    ASSERT_TRUE(record) << experiment.variant << ": " << record.error().sentence;
    EXPECT_EQ(model::faultOf(*record), std::nullopt) << experiment.variant;
    double sum = 0;
    for (const model::PeelStep& step : record->steps) {
      sum += step.microseconds;
      EXPECT_LE(step.low, step.microseconds) << experiment.variant << ", " << step.marks;
      EXPECT_GE(step.high, step.microseconds) << experiment.variant << ", " << step.marks;
    }
    EXPECT_NEAR(sum, record->wholeMicroseconds, 1e-3) << experiment.variant;
    // Ending a kernel costs a comparison behind each barrier: less than the kernel.
    EXPECT_LT(record->wholeMicroseconds, 2 * record->cleanMicroseconds) << experiment.variant;
    EXPECT_GT(record->wholeMicroseconds, record->cleanMicroseconds / 2) << experiment.variant;
    ++priced;
  }
  EXPECT_GT(priced, 15u);
}

TEST(GpuGrid, TakesNoLessTimeThanItsParts) {
  auto device = gpu::makeGpuTimingDevice(0);
  if (!device) GTEST_SKIP() << device.error().sentence;
  engine::JobControl job;
  const model::GpuLimits& limits = (*device)->facts().limits.value();
  EXPECT_GT(limits.multiprocessors, 0u);
  // Between a cache's latency and a disk's; between a clock at rest and one that no GPU has.
  EXPECT_GT(limits.latencyNanoseconds, 100);
  EXPECT_LT(limits.latencyNanoseconds, 5000);
  EXPECT_GT(limits.clockMegahertz, 100);
  EXPECT_LT(limits.clockMegahertz, 10'000);
  EXPECT_GT(limits.launchMicroseconds, 0.5);
  EXPECT_LT(limits.launchMicroseconds, 200);
  for (const model::Experiment& experiment : measuredVariants()) {
    const auto record = (*device)->measure<model::CostRecord>(experiment, job);
    if (!record && record.error().kind == ErrorKind::Usage) continue;
    ASSERT_TRUE(record) << experiment.variant << ": " << record.error().sentence;
    EXPECT_EQ(model::faultOf(*record), std::nullopt);
    EXPECT_GT(record->emptyMicroseconds, 0);
    EXPECT_LE(record->lowerQuartile, record->microseconds);
    EXPECT_LE(record->microseconds, record->upperQuartile);
    // Launching alone takes no longer than the reduction, but for what one run differs from the next.
    EXPECT_LT(record->emptyMicroseconds, 1.5 * record->upperQuartile) << experiment.variant;
  }
}

}  // namespace
}  // namespace stridescope::measure
