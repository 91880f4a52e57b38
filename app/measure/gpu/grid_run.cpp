#include "measure/gpu/grid_run.h"

#include "base/numbers.h"
#include "engine/engine_limits.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::measure::gpu {

std::string GridRun::kernelHash() const { return model::hashOf(kernels::kernelText(experiment)); }

TimedPlan GridRun::emptyPlan() const {
  return {.name = experiment.variant,
          .before = memory.before,
          .resultAddress = memory.addresses[plan.result],
          .resultBytes = plan.buffers[plan.result].elementBytes};
}

std::vector<TimedLaunch> GridRun::launchesOf(CleanKernel& launched) const {
  std::vector<TimedLaunch> launches;
  for (const kernels::LaunchShape& launch : plan.launches)
    launches.push_back(launchOn(plan, launch, launched, memory.addresses));
  return launches;
}

Result<GridRun> planGrid(CleanRunner& runner, const model::Experiment& asked, const model::Executor& gpu,
                         const GridMeasured& measured) {
  auto experiment = engine::checkedExperiment(asked, true);
  if (!experiment) return tl::unexpected(experiment.error());
  const model::Kernel& measuredKernel = *kernels::kernelOf(*experiment);
  if (measuredKernel.isWrong())
    return usageError(experiment->variant + " has no " + measured.what +
                      ": it demonstrates a common bug, and no two runs of it are the same.");
  if (measuredKernel.merges() && !measured.merges)
    return usageError(experiment->variant + " has no " + measured.what + ": it merges lists in one block.");
  if (std::string refusal = engine::refusalOf(gpu, *experiment); !refusal.empty())
    return usageError(std::move(refusal));
  GridRun run{.experiment = std::move(*experiment), .plan = {}, .kernel = nullptr, .memory = {}};
  run.plan = kernels::planRun(run.experiment);
  std::uint64_t blocks = 0;
  for (const kernels::LaunchShape& launch : run.plan.launches) blocks += launch.grid.count();
  if (blocks > measured.maxBlocks)
    return usageError(run.experiment.variant + " has no " + measured.what + " here: it takes " +
                      figure(blocks) + " blocks, and " + figure(measured.maxBlocks) +
                      " is the most. Take larger blocks or fewer elements.");
  auto kernel = runner.load(run.experiment);
  if (!kernel) return tl::unexpected(kernel.error());
  run.kernel = std::move(*kernel);
  auto memory = variantMemory(runner, run.plan, run.experiment);
  if (!memory) return tl::unexpected(memory.error());
  run.memory = std::move(*memory);
  return run;
}

}  // namespace stridescope::measure::gpu
