#include "model/quantity.h"

#include <cmath>

#include "model/trace_check.h"

namespace stridescope::model {

std::optional<std::string> faultOfOrigin(const Experiment& experiment, const std::string& kernelHash,
                                         const Executor& executor) {
  if (experiment.variant.empty()) return "its variant has no name";
  if (std::size_t(experiment.type) >= kElementTypes.size()) return "its element type is unknown";
  if (std::size_t(experiment.op) > std::size_t(Operator::Custom)) return "its operator is unknown";
  if (experiment.threads == 0 || experiment.threads > kMaxThreads) return "its block size is not one";
  if (experiment.lists > kMaxThreads) return "it has too many lists";
  if (executor.kind != EngineKind::Gpu) return "it is not from a GPU";
  for (const std::string* text :
       {&experiment.variant, &experiment.custom.combine, &experiment.custom.identity, &kernelHash,
        &executor.device, &executor.computeCapability, &executor.driver, &executor.compiler,
        &executor.recordedOn})
    if (text->size() > kMaxTextBytes || !isPlainUtf8(*text)) return "a text is too long or is not UTF-8";
  return std::nullopt;
}

Experiment measuredExperiment(Experiment experiment) {
  experiment.launch = 0;
  experiment.block = 0;
  experiment.schedule = {};
  experiment.scheduleSeed = 0;
  experiment.blockOrder = {};
  experiment.blockOrderSeed = Experiment().blockOrderSeed;
  if (!isSeeded(experiment.data)) experiment.seed = 0;
  return experiment;
}

Experiment timedExperiment(Experiment experiment) {
  experiment = measuredExperiment(std::move(experiment));
  experiment.data = {};
  experiment.seed = 0;
  experiment.given = {};
  return experiment;
}

bool isTime(double microseconds) {
  return std::isfinite(microseconds) && microseconds >= 0 && microseconds <= kMaxMicroseconds;
}

}  // namespace stridescope::model
