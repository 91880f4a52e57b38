#include "engine/auto_engine.h"

#include <utility>
#include <vector>

#include "engine/engine_limits.h"

namespace stridescope::engine {
namespace {

// What is wrong with the request or with a person's text is wrong on the CPU, too.
bool isOfTheGpu(const Error& error) {
  return error.kind == ErrorKind::Unavailable && error.cause == ErrorCause::Other;
}

}  // namespace

Result<void> AutoEngine::prepare(std::span<const model::Experiment> experiments, JobControl& job) {
  std::vector<model::Experiment> onTheGpu;
  for (const model::Experiment& experiment : experiments)
    if (refusalOf(executor(), experiment).empty()) onTheGpu.push_back(experiment);
  return gpu_->prepare(onTheGpu, job);
}

Result<model::Trace> AutoEngine::record(const model::Experiment& experiment, JobControl& job) {
  if (std::string refusal = refusalOf(executor(), experiment); !refusal.empty()) {
    remember(std::move(refusal));
    return host_->record(experiment, job);
  }
  remember({});
  auto onGpu = gpu_->record(experiment, job);
  if (onGpu || onFailure_ == OnGpuFailure::Tell || !isOfTheGpu(onGpu.error())) return onGpu;
  auto onCpu = host_->record(experiment, job);
  if (!onCpu && isOfTheGpu(onCpu.error())) return onGpu;
  if (onCpu) remember(onGpu.error().sentence);
  return onCpu;
}

std::string whyOnTheCpu(const Engine& engine) {
  const auto* const automatic = dynamic_cast<const AutoEngine*>(&engine);
  return automatic == nullptr ? std::string() : automatic->whyOnTheCpu();
}

}  // namespace stridescope::engine
