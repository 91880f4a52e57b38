#include "engine/rung_before.h"

#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::engine {

std::optional<model::Experiment> rungBefore(const model::Experiment& experiment) {
  const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
  if (variant == nullptr || variant->previous.empty()) return std::nullopt;
  const kernels::Variant* const previous = kernels::findVariant(variant->previous);
  if (previous == nullptr || previous->isWrong() || previous->merges()) return std::nullopt;
  model::Experiment before = experiment;
  before.variant = previous->id;
  if (experiment.threads == variant->defaultThreads) before.threads = previous->defaultThreads;
  before.launch = 0;
  before.block = 0;
  const auto checked = checkedExperiment(std::move(before), true);
  return checked ? std::optional(*checked) : std::nullopt;
}

}  // namespace stridescope::engine
