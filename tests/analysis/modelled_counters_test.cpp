// Against what an H200 counted (ncu, CUDA 13.0, driver 580; 256 threads, one block).
#include <gtest/gtest.h>

#include "analysis/requests.h"
#include "support/ladder_trace.h"

namespace stridescope::analysis {
namespace {

using model::Counter;

struct Expected {
  const char* variant;
  double loadConflicts, storeConflicts, loads, stores;
};

TEST(ModelledCounters, AreWhatTheHardwareCounts) {
  for (const Expected& expected : {Expected{"interleaved_modulo", 0, 0, 95, 55},
                                   {"interleaved_contiguous", 70, 35, 95, 55},
                                   {"sequential", 0, 0, 25, 20}}) {
    const model::Trace trace = support::ladderTrace(expected.variant, 256, model::ElementType::Int);
    const Analysis analysis = analyse(trace);
    const auto of = [&](Counter counter) {
      return modelled(counter, trace.launches[0], analysis.launches[0]);
    };
    EXPECT_EQ(of(Counter::SharedLoadConflicts), expected.loadConflicts) << expected.variant;
    EXPECT_EQ(of(Counter::SharedStoreConflicts), expected.storeConflicts) << expected.variant;
    EXPECT_EQ(of(Counter::SharedLoadWavefronts), expected.loads) << expected.variant;
    EXPECT_EQ(of(Counter::SharedStoreWavefronts), expected.stores) << expected.variant;
    EXPECT_EQ(of(Counter::Instructions), std::nullopt);
  }
}

TEST(ModelledCounters, OfABlockAmongOthersOrACutTraceAreNotKnown) {
  model::Trace trace = support::ladderTrace("sequential", 256, model::ElementType::Int);
  const Analysis analysis = analyse(trace);
  model::LaunchTrace launch = trace.launches[0];
  launch.grid = 2;
  EXPECT_FALSE(modelled(Counter::SharedLoadConflicts, launch, analysis.launches[0]));
  launch.grid = 1;
  launch.recorded().cut = true;
  EXPECT_FALSE(modelled(Counter::SharedLoadConflicts, launch, analysis.launches[0]));
}

}  // namespace
}  // namespace stridescope::analysis
