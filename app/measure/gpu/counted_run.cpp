#include "measure/gpu/counted_run.h"

#include "engine/engine_limits.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "measure/gpu/variant_buffers.h"
#include "model/identity.h"

namespace stridescope::measure::gpu {

Result<model::CounterRecord> countRun(CleanRunner& runner, const model::Experiment& asked,
                                      const model::Executor& gpu) {
  const auto experiment = engine::checkedExperiment(asked, true);
  if (!experiment) return tl::unexpected(experiment.error());
  const kernels::Variant& variant = *kernels::findVariant(experiment->variant);
  if (variant.isWrong())
    return usageError(experiment->variant +
                      " has no counters: it demonstrates a common bug, and no two runs of it are the same.");
  if (std::string refusal = engine::refusalOf(gpu, *experiment); !refusal.empty())
    return usageError(std::move(refusal));
  const kernels::RunPlan plan = kernels::planRun(variant, *experiment);
  auto kernel = runner.load(*experiment);
  if (!kernel) return tl::unexpected(kernel.error());
  auto memory = variantMemory(runner, plan, *experiment);
  if (!memory) return tl::unexpected(memory.error());

  TimedPlan counted{.name = experiment->variant, .before = memory->before};
  for (const kernels::LaunchShape& launch : plan.launches)
    counted.steps.emplace_back(launchOn(plan, launch, **kernel, memory->addresses));
  counted.resultAddress = memory->addresses[plan.result];
  counted.resultBytes = plan.buffers[plan.result].elementBytes;
  auto values = runner.counted(std::move(counted));
  if (!values) return tl::unexpected(values.error());

  model::CounterRecord record{.experiment = *experiment,
                              .kernelHash = model::hashOf(kernels::kernelText(experiment->variant)),
                              .executor = gpu};
  for (std::size_t i = 0; i < plan.launches.size(); ++i)
    record.launches.push_back({.grid = plan.launches[i].grid.count(),
                               .block = plan.launches[i].block.count(),
                               .values = std::move((*values)[i])});
  return record;
}

}  // namespace stridescope::measure::gpu
