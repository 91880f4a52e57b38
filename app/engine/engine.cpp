// What engines and experiments are called.
#include "engine/engine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "base/plain_text.h"
#include "engine/experiment_check.h"
#include "model/experiment_fields.h"

namespace stridescope::engine {
namespace {

constexpr std::string_view kNumbered = "gpu:";

}  // namespace

std::optional<EngineName> parseEngineName(std::string_view name) {
  if (name == "auto") return EngineName{EngineNameKind::Auto};
  if (name == "host") return EngineName{EngineNameKind::Host};
  if (name == "gpu") return EngineName{EngineNameKind::Gpu};
  if (!name.starts_with(kNumbered)) return EngineName{EngineNameKind::Recording};
  EngineName gpu{EngineNameKind::Gpu};
  const char* const begin = name.data() + kNumbered.size();
  const char* const end = name.data() + name.size();
  const auto [rest, fault] = std::from_chars(begin, end, gpu.gpu);
  if (fault != std::errc() || rest != end || gpu.gpu >= kMaxGpus) return std::nullopt;
  return gpu;
}

std::string gpuEngineName(unsigned gpu) { return std::string(kNumbered) + std::to_string(gpu); }

unsigned gpuOf(std::string_view name) {
  const auto engine = parseEngineName(name);
  return engine ? engine->gpu : 0;
}

std::string summaryOf(const model::Experiment& experiment) {
  // A kernel of one's own reduces nothing.
  constexpr std::array<std::string_view, 5> kOfReductions{"type", "op", "data", "n", "seed"};
  const bool isOwn = model::isKernelFile(experiment.variant);
  std::string summary;
  const auto add = [&](model::SummaryPart part, std::string_view between) {
    for (const model::ExperimentField& field : model::experimentFields()) {
      if (field.summary == nullptr || field.part != part) continue;
      if (isOwn && std::ranges::count(kOfReductions, field.key) != 0) continue;
      const std::string text = field.summary(experiment);
      if (!text.empty()) summary.append(summary.empty() ? "" : between).append(text);
    }
  };
  add(model::SummaryPart::Head, " ");
  add(model::SummaryPart::Middle, ", ");
  add(model::SummaryPart::Tail, ", ");
  return printable(summary);
}

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
