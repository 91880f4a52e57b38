// What engines and experiments are called.
#include <charconv>

#include "base/plain_text.h"
#include "engine/engine_name.h"
#include "engine/experiment_summary.h"

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
  const model::GivenData* const given = experiment.given.get();
  std::string summary = experiment.variant + " " + std::string(model::nameOf(experiment.type)) + " " +
                        std::string(model::nameOf(experiment.op)) + " " +
                        std::string(model::nameOf(experiment.data));
  if (given != nullptr) summary += " '" + given->name + "'";
  summary += ", " + std::to_string(experiment.threads) + " threads, " + std::to_string(experiment.elements) +
             " elements";
  if (model::isSeeded(experiment.data)) summary += ", seed " + std::to_string(experiment.seed);
  if (experiment.lists != 0) summary += ", " + std::to_string(experiment.lists) + " lists";
  if (experiment.op == model::Operator::Custom)
    summary += ", combine(a, b) '" + experiment.custom.combine + "', identity " + experiment.custom.identity;
  if (experiment.schedule != model::Schedule::LaneByLane)
    summary += ", schedule " + std::string(model::nameOf(experiment.schedule));
  if (experiment.schedule == model::Schedule::Random)
    summary += ", schedule seed " + std::to_string(experiment.scheduleSeed);
  if (experiment.blockOrder != model::BlockOrder::InOrder)
    summary += ", block order " + std::string(model::nameOf(experiment.blockOrder));
  if (experiment.blockOrder == model::BlockOrder::Random)
    summary += ", block order seed " + std::to_string(experiment.blockOrderSeed);
  if (experiment.launch != 0) summary += ", launch " + std::to_string(experiment.launch);
  if (experiment.block != 0) summary += ", block " + std::to_string(experiment.block);
  return printable(summary);
}

}  // namespace stridescope::engine
