// What engines and experiments are called.
#include <charconv>

#include "base/plain_text.h"
#include "engine/engine_name.h"
#include "engine/experiment_summary.h"
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
  std::string summary;
  const auto add = [&](model::SummaryPart part, std::string_view between) {
    for (const model::ExperimentField& field : model::experimentFields()) {
      if (field.summary == nullptr || field.part != part) continue;
      const std::string text = field.summary(experiment);
      if (!text.empty()) summary.append(summary.empty() ? "" : between).append(text);
    }
  };
  add(model::SummaryPart::Head, " ");
  add(model::SummaryPart::Middle, ", ");
  add(model::SummaryPart::Tail, ", ");
  return printable(summary);
}

}  // namespace stridescope::engine
