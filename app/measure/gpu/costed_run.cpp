#include "measure/gpu/costed_run.h"

#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/grid_run.h"
#include "measure/statistics.h"

namespace stridescope::measure::gpu {

Result<model::CostRecord> costRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const model::GpuLimits& limits,
                                  const std::optional<TimedLaunch>& emptying, engine::JobControl& job) {
  const auto run = planGrid(runner, experiment, gpu, {.what = "cost", .merges = false});
  if (!run) return tl::unexpected(run.error());
  const auto empty = loadEmptyKernel(runner);
  if (!empty) return tl::unexpected(empty.error());

  TimedPlan whole = run->emptyPlan();
  TimedPlan launching = whole;
  launching.name = "the empty kernels of " + launching.name;
  if (emptying) whole.before.emplace_back(*emptying);
  for (const TimedLaunch& launch : emptyLaunches(run->plan, **empty)) launching.steps.emplace_back(launch);
  for (TimedLaunch& launch : run->launchesOf(*run->kernel)) whole.steps.emplace_back(std::move(launch));
  const auto wholeRun = runner.timed(std::move(whole));
  if (!wholeRun) return tl::unexpected(wholeRun.error());
  const auto emptyRun = runner.timed(std::move(launching));
  if (!emptyRun) return tl::unexpected(emptyRun.error());

  std::vector<float> times, emptyTimes;
  for (unsigned i = 0; i < kCostedWarmUps + kCostedRuns; ++i) {
    if (job.cancel) return cancelled();
    const auto reduced = (*wholeRun)->run(0);
    if (!reduced) return tl::unexpected(reduced.error());
    const auto launched = (*emptyRun)->run(0);
    if (!launched) return tl::unexpected(launched.error());
    if (i < kCostedWarmUps) continue;
    times.push_back(float(reduced->microseconds));
    emptyTimes.push_back(float(launched->microseconds));
  }
  const Summary summary = summarize(times);
  model::CostRecord record{.experiment = run->experiment,
                           .kernelHash = run->kernelHash(),
                           .executor = gpu,
                           .limits = limits,
                           .runs = kCostedRuns,
                           .microseconds = summary.median,
                           .lowerQuartile = summary.lowerQuartile,
                           .upperQuartile = summary.upperQuartile,
                           .emptyMicroseconds = summarize(emptyTimes).median};
  for (const kernels::LaunchShape& shape : run->plan.launches) {
    const auto fit = run->kernel->fit(shape.block.count(), shape.sharedBytes);
    if (!fit) return tl::unexpected(fit.error());
    record.launches.push_back({.grid = shape.grid.count(),
                               .block = shape.block.count(),
                               .registers = fit->registers,
                               .residentBlocks = fit->residentBlocks});
  }
  return record;
}

}  // namespace stridescope::measure::gpu
