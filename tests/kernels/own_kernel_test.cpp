// A kernel that is made at run time and that the catalogue does not have: its experiments are planned,
// checked and named by what it says itself.
#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "kernels/described_arrays.h"
#include "kernels/run_plan.h"

namespace stridescope::kernels {
namespace {

// The catalogue's `sequential`, but that a thread takes four elements and shared memory has one of them.
model::Kernel fourPerThread() {
  model::Kernel kernel = *findVariant("sequential");
  kernel.id = "four_per_thread";
  kernel.title = "four per thread";
  kernel.text += "// of my own\n";
  kernel.launch.elementsPerThread = 4;
  return kernel;
}

model::Experiment experimentOf(const model::Kernel& kernel) {
  model::Experiment experiment{.variant = kernel.id, .threads = 64, .elements = 1024};
  experiment.kernel = Shared(kernel);
  return experiment;
}

TEST(OwnKernel, IsTheOneOfItsExperiment) {
  const model::Kernel own = fourPerThread();
  ASSERT_EQ(findVariant(own.id), nullptr);
  model::Experiment experiment = experimentOf(own);
  EXPECT_EQ(kernelOf(experiment), experiment.kernel.get());
  EXPECT_EQ(titleOf(experiment), "four per thread");
  EXPECT_EQ(kernelText(experiment), own.text);
  const RunPlan plan = planRun(experiment);
  ASSERT_EQ(plan.launches.size(), 2u);  // 1024 elements, 256 per block: 4 blocks, then one
  EXPECT_EQ(plan.launches[0].grid, model::Dim3(4));
  EXPECT_EQ(plan.launches[0].sharedBytes, 64 * sizeof(int));
}

TEST(OwnKernel, IsForgottenWithAnotherVariant) {
  model::Experiment experiment = experimentOf(fourPerThread());
  experiment.variant = "sequential";
  EXPECT_EQ(kernelOf(experiment), findVariant("sequential"));
  experiment.variant = "no_such_variant";
  EXPECT_EQ(kernelOf(experiment), nullptr);
  EXPECT_EQ(titleOf(experiment), "no_such_variant");
  EXPECT_EQ(kernelText(experiment), "");
}

TEST(OwnKernel, MayHaveOneLaunchThatIsTheSameForAnySize) {
  model::Kernel own = fourPerThread();
  own.launch.fixed = model::FixedLaunch{.grid = {3, 2}, .block = {16, 4}, .sharedBytes = 512};
  for (const std::uint64_t elements : {1u, 1024u, 100'000u}) {
    model::Experiment experiment = experimentOf(own);
    experiment.elements = elements;
    experiment.block = 99;
    const RunPlan plan = planRun(experiment);
    ASSERT_EQ(plan.launches.size(), 1u);
    EXPECT_EQ(plan.launches[0].grid, model::Dim3(3, 2));
    EXPECT_EQ(plan.launches[0].block, model::Dim3(16, 4));
    EXPECT_EQ(plan.launches[0].sharedBytes, 512u);
    EXPECT_EQ(plan.launches[0].inspected, 5u);
  }
}

TEST(OwnKernel, DescribesItsBuffers) {
  model::Kernel own = fourPerThread();
  own.parameters = {{"values", model::ParameterRole::Input},
                    {"count", model::ParameterRole::Ticket, {"unsigned", 4}},
                    {"pairs", model::ParameterRole::Partials, {"float2", 8}}};
  model::Trace trace;
  trace.experiment = experimentOf(own);
  trace.launches.emplace_back().buffers = {{"values", 4, 64}, {"count", 4, 4}, {"pairs", 8, 64}};
  describeArrays(trace);
  const std::vector<model::Array>& buffers = trace.launches[0].buffers;
  EXPECT_EQ(buffers[0].type, model::ElementType::Int);
  EXPECT_EQ(buffers[0].role, model::ParameterRole::Input);
  EXPECT_EQ(buffers[1].type, std::nullopt);
  EXPECT_EQ(buffers[1].role, model::ParameterRole::Ticket);
  EXPECT_EQ(buffers[2].type, std::nullopt);
  EXPECT_EQ(buffers[2].role, model::ParameterRole::Partials);
}

}  // namespace
}  // namespace stridescope::kernels
