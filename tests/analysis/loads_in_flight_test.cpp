// How many bytes of the input a thread asks for at once, in variants stepped by the CPU executor: each number
// is read off the kernel's text.
#include <gtest/gtest.h>

#include "analysis/reduction_cost.h"
#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "support/ladder_trace.h"

namespace stridescope::analysis {
namespace {

LoadsPerThread loadsOf(const std::string& variant, model::ElementType type, std::uint64_t elements) {
  engine::JobControl job;
  const auto experiment = engine::checkedExperiment(
      {.variant = variant, .type = type, .threads = 256, .elements = elements}, elements > 0);
  const auto trace = engine::host::makeHostEngine()->record(experiment.value(), job);
  return loadsPerThread(trace.value().launches[0], analyse(*trace).launches[0]);
}

TEST(LoadsPerThread, AreOneOfSequentialAndTwoWhereTheFirstAddIsDuringTheLoad) {
  for (const auto& [variant, loads] : {std::pair("sequential", 1u), {"first_add_on_load", 2u}}) {
    const model::Trace trace = support::ladderTrace(variant, 256, model::ElementType::Int);
    EXPECT_EQ(loadsPerThread(trace.launches[0], analyse(trace).launches[0]),
              (LoadsPerThread{loads, 4 * loads}))
        << variant;
  }
}

TEST(LoadsPerThread, AreThoseOfATripOfALoop) {
  EXPECT_EQ(loadsOf("grid_stride", model::ElementType::Int, 0), (LoadsPerThread{4, 16, true}));
  EXPECT_EQ(loadsOf("grid_stride", model::ElementType::Double, 0), (LoadsPerThread{4, 32, true}));
}

TEST(LoadsPerThread, OfAnEmptyInputAreThoseOfItsOneBlock) {
  model::LaunchTrace launch;
  launch.block = 32;
  EXPECT_EQ(loadsPerThread(launch, {}), LoadsPerThread());
}

}  // namespace
}  // namespace stridescope::analysis
