#include "measure/gpu/counted_run.h"

#include "measure/gpu/grid_run.h"

namespace stridescope::measure::gpu {

Result<model::CounterRecord> countRun(CleanRunner& runner, const model::Experiment& experiment,
                                      const model::Executor& gpu) {
  const auto run = planGrid(runner, experiment, gpu, {.what = "counters"});
  if (!run) return tl::unexpected(run.error());
  TimedPlan counted = run->emptyPlan();
  for (TimedLaunch& launch : run->launchesOf(*run->kernel)) counted.steps.emplace_back(std::move(launch));
  auto values = runner.counted(std::move(counted));
  if (!values) return tl::unexpected(values.error());

  model::CounterRecord record{
      .experiment = run->experiment, .kernelHash = run->kernelHash(), .executor = gpu};
  for (std::size_t i = 0; i < run->plan.launches.size(); ++i)
    record.launches.push_back({.grid = run->plan.launches[i].grid.count(),
                               .block = run->plan.launches[i].block.count(),
                               .values = std::move((*values)[i])});
  return record;
}

}  // namespace stridescope::measure::gpu
