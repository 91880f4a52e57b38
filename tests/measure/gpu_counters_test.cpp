// On a real GPU: what the hardware counts of shared memory is what the model says. Skipped without one, and
// where its counters cannot be read.
#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "analysis/requests.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "measure/gpu/gpu_timing_device.h"

namespace stridescope::measure {
namespace {

// The compiler may keep in a register what was just loaded, or load neighbouring words at once: then the
// hardware loads less often than the text says. docs/measured.md has these.
bool isOptimized(const kernels::Variant& variant) {
  return variant.merges() || variant.id == "warm_up" || variant.id == "warp_guarded" ||
         variant.id == "tile_columns";
}

// Known: in the text no store conflicts, but with 16 warps or more the counters tell of some, another number
// in each run, as wavefronts and as conflicts. docs/measured.md has it.
bool isDisturbed(const kernels::Variant& variant, model::Counter counter) {
  return variant.id == "warp_redux" && (counter == model::Counter::SharedStoreWavefronts ||
                                        counter == model::Counter::SharedStoreConflicts);
}

TEST(GpuCounters, OfSharedMemoryAreTheModels) {
  auto device = gpu::makeGpuTimingDevice(0);
  if (!device) GTEST_SKIP() << device.error().sentence;
  engine::JobControl job;
  unsigned compared = 0;
  for (const model::ElementType type : {model::ElementType::Int, model::ElementType::Int64,
                                        model::ElementType::Float, model::ElementType::Double})
    for (const kernels::Variant& variant : kernels::catalog())
      for (const unsigned threads : variant.threads) {
        if (variant.isWrong() || isOptimized(variant)) continue;
        model::Experiment asked{.variant = std::string(variant.id), .type = type, .threads = threads};
        asked.data = kernels::defaultData(variant.id, asked.op);
        const auto experiment = engine::checkedExperiment(asked, false);
        if (!experiment) continue;
        const auto record = (*device)->measure<model::CounterRecord>(*experiment, job);
        if (!record && record.error().kind == ErrorKind::Usage) continue;
        if (!record) GTEST_SKIP() << record.error().sentence;
        const auto trace = engine::host::makeHostEngine()->record(*experiment, job);
        ASSERT_TRUE(trace) << trace.error().sentence;
        const analysis::Analysis analysis = analysis::analyse(*trace);
        ASSERT_EQ(record->launches.size(), trace->launches.size());
        for (std::size_t i = 0; i < trace->launches.size(); ++i)
          for (const model::Counter counter : model::kCounters) {
            const auto expected = analysis::modelled(counter, trace->launches[i], analysis.launches[i]);
            const auto measured = record->launches[i].find(counter);
            if (!expected || !measured) continue;
            ++compared;
            if (isDisturbed(variant, counter)) {
              EXPECT_EQ(*measured - *expected,
                        *record->launches[i].find(model::Counter::SharedStoreConflicts))
                  << "as many wavefronts more as conflicts that the text does not have";
              continue;
            }
            EXPECT_EQ(*measured, *expected) << variant.id << " " << model::nameOf(type) << " " << threads
                                            << " threads, launch " << i << ": " << model::nameOf(counter);
          }
      }
  EXPECT_GT(compared, 400u);
}

}  // namespace
}  // namespace stridescope::measure
