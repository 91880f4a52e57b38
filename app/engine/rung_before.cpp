#include "engine/rung_before.h"

#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::engine {

std::optional<model::Experiment> rungBefore(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr || kernel->previous.empty()) return std::nullopt;
  model::Experiment before = experiment;
  before.variant = kernel->previous;
  const model::Kernel* const previous = kernels::kernelOf(before);
  if (previous == nullptr || previous->isWrong() || previous->merges()) return std::nullopt;
  if (experiment.threads == kernel->defaultThreads) before.threads = previous->defaultThreads;
  before.launch = 0;
  before.block = 0;
  const auto checked = checkedExperiment(std::move(before), true);
  return checked ? std::optional(*checked) : std::nullopt;
}

}  // namespace stridescope::engine
