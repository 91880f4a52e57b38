#include "views/forms/field_choices.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "model/arithmetic.h"
#include "model/operator_table.h"
#include "session/experiment_choices.h"

namespace stridescope::views {
namespace {

using session::ExperimentChoices;

constexpr std::array<unsigned, 2> kSeveralBlocks{2, 4};
constexpr std::array<std::uint64_t, 9> kSizes{0, 1, 33, 1000, 65537, 1u << 16, 1u << 18, 1u << 20, 1u << 24};

const model::Kernel* kernelOf(const session::Parts& parts) {
  return kernels::kernelOf(parts.workspace.experiment());
}

// The variant's reason, or else that of the open recording.
template <class Change>
std::string whyNot(const session::Parts& parts, std::string ofVariant, Change change) {
  return ofVariant.empty() ? parts.workspace.whyNotRecorded(change) : ofVariant;
}

// Whether the size to begin with is another than one block's load.
bool hasOwnSize(const session::Parts& parts) {
  const model::Kernel* const kernel = kernelOf(parts);
  return kernel != nullptr && kernel->firstSize != model::FirstSize::OneLoad;
}

std::string blocksLabel(unsigned blocks) { return std::to_string(blocks) + " blocks"; }

// No GPU could take what the CPU executor does not.
bool runsOnCpuAlone(const session::Workspace& workspace) {
  if (workspace.recording()) return false;
  return workspace.engineId() == "host" || std::ranges::none_of(workspace.engines(), [](const auto& choice) {
           return choice.id.starts_with("gpu") && choice.why.empty();
         });
}

std::vector<FieldChoice> typeChoices(const session::Parts& parts) {
  const model::Kernel* const kernel = kernelOf(parts);
  const model::Experiment& experiment = parts.workspace.experiment();
  std::vector<FieldChoice> choices;
  if (kernel == nullptr) return choices;
  for (const model::ElementType type : model::kElementTypes)
    choices.push_back({.text = std::string(model::nameOf(type)),
                       .command = session::Choose(&model::Experiment::type, type),
                       .chosen = type == experiment.type,
                       .why = whyNot(parts, session::whyNotType(*kernel, type, experiment.op),
                                     [&](ExperimentChoices& changed) { changed.experiment.type = type; }),
                       .also = model::aliasWords(model::Named::Type, model::nameOf(type)) +
                               std::string(model::factsOf(type).searchWords)});
  return choices;
}

std::vector<FieldChoice> operatorChoices(const session::Parts& parts) {
  const model::Kernel* const kernel = kernelOf(parts);
  const model::Experiment& experiment = parts.workspace.experiment();
  std::vector<FieldChoice> choices;
  if (kernel == nullptr) return choices;
  for (const model::Operator op : model::kOperators)
    choices.push_back({.text = operatorLabel(op),
                       .command = session::Choose(&model::Experiment::op, op),
                       .chosen = op == experiment.op,
                       .why = whyNot(parts, session::whyNotOperator(*kernel, experiment.type, op),
                                     [&](ExperimentChoices& changed) { changed.experiment.op = op; }),
                       .also = std::string(model::factsOf(op).noun)});
  return choices;
}

std::vector<FieldChoice> threadsChoices(const session::Parts& parts) {
  const model::Kernel* const kernel = kernelOf(parts);
  std::vector<FieldChoice> choices;
  if (kernel == nullptr) return choices;
  for (const unsigned threads : session::allBlockSizes())
    choices.push_back({.text = std::to_string(threads),
                       .command = session::Choose(&model::Experiment::threads, threads),
                       .chosen = threads == parts.workspace.experiment().threads,
                       .why = whyNot(parts, session::whyNotThreads(*kernel, threads),
                                     [&](ExperimentChoices& changed) { chooseThreads(changed, threads); }),
                       .also = "threads per block"});
  return choices;
}

std::vector<FieldChoice> elementsChoices(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  const bool byItself = parts.workspace.oneBlockLoad();
  std::vector<FieldChoice> choices;
  if (kernelOf(parts) == nullptr) return choices;
  const auto add = [&](std::string text, std::optional<std::uint64_t> n, bool chosen, std::string note) {
    choices.push_back({.text = std::move(text),
                       .command = session::Choose::elements(n),
                       .chosen = chosen,
                       .why = parts.workspace.whyNotRecorded(
                           [&](ExperimentChoices& changed) { chooseElements(changed, n); }),
                       .note = std::move(note),
                       .also = "elements size"});
  };
  add(hasOwnSize(parts) ? "the variant's default" : "one block's load", std::nullopt, byItself, {});
  for (const unsigned blocks : kSeveralBlocks)
    if (const auto n = session::elementsOfBlocks(experiment, blocks))
      add(blocksLabel(blocks), *n, !byItself && *n == experiment.elements, sizeText(*n));
  for (const std::uint64_t n : kSizes) add(sizeText(n), n, !byItself && n == experiment.elements, {});
  return choices;
}

std::vector<FieldChoice> dataChoices(const session::Parts& parts) {
  std::vector<FieldChoice> choices;
  if (kernelOf(parts) == nullptr) return choices;
  for (const model::DataPattern data : model::kDataPatterns)
    choices.push_back({.text = std::string(model::nameOf(data)),
                       .command = session::Choose(&model::Experiment::data, data),
                       .chosen = data == parts.workspace.experiment().data,
                       .why = parts.workspace.whyNotRecorded(
                           [&](ExperimentChoices& changed) { chooseData(changed, data); }),
                       .also = "numbers values"});
  return choices;
}

std::vector<FieldChoice> scheduleChoices(const session::Parts& parts) {
  const std::string why = isScheduledHere(parts.replay)
                              ? ""
                              : "A GPU schedules its warps itself, and a recording was made already. "
                                "Choose the CPU executor.";
  std::vector<FieldChoice> choices;
  for (const model::Schedule schedule : model::kSchedules)
    choices.push_back({.text = std::string(model::nameOf(schedule)),
                       .command = session::Choose::schedule(schedule, 1),
                       .chosen = schedule == parts.workspace.experiment().schedule,
                       .why = why,
                       .also = "order of the warps"});
  return choices;
}

std::vector<FieldChoice> blockOrderChoices(const session::Parts& parts) {
  const std::string why =
      isScheduledHere(parts.replay)
          ? ""
          : "A GPU chooses the order of its blocks itself, and a recording was made already. "
            "Choose the CPU executor.";
  std::vector<FieldChoice> choices;
  for (const model::BlockOrder order : model::kBlockOrders)
    choices.push_back({.text = std::string(model::nameOf(order)),
                       .command = session::Choose::blockOrder(order, 1),
                       .chosen = order == parts.workspace.experiment().blockOrder,
                       .why = why,
                       .also = "schedule of the blocks"});
  return choices;
}

std::vector<FieldChoice> gpusChoices(const session::Parts& parts) {
  const model::Kernel* const kernel = kernelOf(parts);
  std::vector<FieldChoice> choices;
  if (kernel == nullptr || !kernel->isOfSeveralGpus()) return choices;
  for (unsigned gpus = model::kDefaultGpus; gpus <= model::kMaxGpus; ++gpus)
    choices.push_back({.text = std::to_string(gpus),
                       .command = session::Choose(&model::Experiment::gpus, gpus),
                       .chosen = gpus == parts.workspace.experiment().gpus,
                       .why = parts.workspace.whyNotRecorded(
                           [&](ExperimentChoices& changed) { changed.experiment.gpus = gpus; }),
                       .also = "devices"});
  return choices;
}

constexpr std::array kOffered{
    OfferedField{"type", typeChoices},         OfferedField{"op", operatorChoices},
    OfferedField{"threads", threadsChoices},   OfferedField{"n", elementsChoices},
    OfferedField{"data", dataChoices},         OfferedField{"gpus", gpusChoices},
    OfferedField{"schedule", scheduleChoices}, OfferedField{"block-order", blockOrderChoices}};

}  // namespace

std::span<const OfferedField> offeredFields() { return kOffered; }

std::vector<FieldChoice> choicesOf(std::string_view key, const session::Parts& parts) {
  return std::ranges::find(kOffered, key, &OfferedField::key)->choices(parts);
}

std::string whyNotElements(const session::Parts& parts, std::uint64_t n) {
  std::string why = session::whyNotElements(parts.workspace.experiment(), n);
  if (why.empty() && runsOnCpuAlone(parts.workspace)) why = engine::whyNotOnCpu(n);
  return whyNot(parts, std::move(why), [&](ExperimentChoices& changed) { chooseElements(changed, n); });
}

std::string whyNotNextDataSeed(const session::Parts& parts) {
  return whyNot(
      parts,
      model::isSeeded(parts.workspace.experiment().data) ? "" : "Only digits and random data have a seed.",
      [&](ExperimentChoices& changed) { ++changed.experiment.seed; });
}

std::string whyNotNextScheduleSeed(const session::Parts& parts) {
  return parts.workspace.experiment().schedule == model::Schedule::Random
             ? ""
             : "Only the random schedule has a seed.";
}

std::string whyNotNextBlockOrderSeed(const session::Parts& parts) {
  return parts.workspace.experiment().blockOrder == model::BlockOrder::Random
             ? ""
             : "Only the random order has a seed.";
}

std::string operatorLabel(model::Operator op) {
  const std::string symbol(model::nameOf(op)), word(model::wordOf(op));
  return symbol == word ? word : symbol + " " + word;
}

std::string elementsLabel(const session::Parts& parts) {
  const model::Experiment& experiment = parts.workspace.experiment();
  std::string n = sizeText(experiment.elements);
  if (parts.workspace.oneBlockLoad()) return n + (hasOwnSize(parts) ? " (default)" : " (one block)");
  for (const unsigned blocks : kSeveralBlocks)
    if (session::elementsOfBlocks(experiment, blocks) == experiment.elements)
      return n + " (" + blocksLabel(blocks) + ")";
  return n;
}

bool isScheduledHere(const session::Replay& replay) {
  return !replay.run() || replay.run()->trace.executor.kind == model::EngineKind::Host;
}

}  // namespace stridescope::views
