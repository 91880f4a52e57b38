#include "session/experiment_choices.h"

#include <algorithm>
#include <set>

#include "archive/recording_file.h"
#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::session {
namespace {

using model::Experiment;

bool hasNumbers(const Experiment& experiment) { return experiment.given.get() != nullptr; }

}  // namespace

ExperimentChoices choicesOf(const Experiment& experiment, bool elementsGiven) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  return {.experiment = experiment,
          .threads = kernel != nullptr && experiment.threads != kernel->defaultThreads,
          .elements = !hasNumbers(experiment) && elementsGiven,
          .data = !hasNumbers(experiment) && chosenData(experiment).has_value(),
          .numbersType = experiment.type};
}

ExperimentChoices resetChoices(const std::string& variant) {
  ExperimentChoices choices;
  choices.experiment.variant = variant;
  return choices;
}

void choose(const model::ChosenFields& chosen, ExperimentChoices& choices) {
  if (const auto threads = chosen.get(&Experiment::threads)) chooseThreads(choices, *threads);
  if (const auto elements = chosen.get(&Experiment::elements)) chooseElements(choices, *elements);
  if (const auto data = chosen.get(&Experiment::data)) chooseData(choices, *data);
  chosen.given.copy(chosen.experiment, choices.experiment);
}

void chooseThreads(ExperimentChoices& choices, unsigned threads) {
  choices.threads = true;
  choices.experiment.threads = threads;
}

void chooseElements(ExperimentChoices& choices, std::optional<std::uint64_t> elements) {
  leaveOwnNumbers(choices);
  choices.elements = elements.has_value();
  choices.experiment.elements = elements.value_or(0);
  choices.experiment.launch = 0;
  choices.experiment.block = 0;
}

void chooseData(ExperimentChoices& choices, model::DataPattern data) {
  leaveOwnNumbers(choices);
  choices.data = true;
  choices.experiment.data = data;
}

void leaveOwnNumbers(ExperimentChoices& choices) {
  if (!hasNumbers(choices.experiment)) return;
  choices.elements = true;
  choices.experiment.elements = choices.experiment.given.get()->values.size();
  choices.experiment.given = {};
  choices.experiment.lists = 0;
  choices.numbersPath.clear();
}

Experiment experimentFor(const ExperimentChoices& choices) {
  Experiment experiment = choices.experiment;
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return experiment;
  if (!choices.threads) experiment.threads = kernel->defaultThreads;
  makeLegal(experiment);
  if (hasNumbers(experiment)) {
    experiment.elements = experiment.given.get()->values.size();
    experiment.data = model::DataPattern::Given;
    return experiment;
  }
  if (!choices.elements) experiment.elements = 0;
  if (!choices.data) experiment.data = kernels::defaultData(experiment);
  return experiment;
}

FieldSet<Experiment> borrowedFields(const ExperimentChoices& choices, const Experiment& experiment) {
  FieldSet<Experiment> borrowed;
  const auto compare = [&](bool chosen, auto field) {
    if (chosen && choices.experiment.*field != experiment.*field) borrowed.add(field);
  };
  const bool numbers = hasNumbers(choices.experiment);
  compare(true, &Experiment::type);
  compare(true, &Experiment::op);
  compare(choices.threads, &Experiment::threads);
  compare(choices.elements && !numbers, &Experiment::elements);
  if (numbers ? !hasNumbers(experiment) : choices.data && choices.experiment.data != experiment.data)
    borrowed.add(&Experiment::data);
  if (model::isSeeded(experiment.data)) compare(true, &Experiment::seed);
  return borrowed;
}

bool isChosen(const model::ExperimentField& field, const ExperimentChoices& choices) {
  return (field.key != "n" || choices.elements) && (field.key != "threads" || choices.threads) &&
         (field.key != "data" || choices.data);
}

FieldSet<Experiment> chosenAnew(const ExperimentChoices& before, const ExperimentChoices& now) {
  auto fields = FieldSet<Experiment>::differing(before.experiment, now.experiment);
  if (before.threads != now.threads) fields.add(&Experiment::threads);
  if (before.elements != now.elements) fields.add(&Experiment::elements);
  if (before.data != now.data) fields.add(&Experiment::data);
  return fields;
}

unsigned nearnessOf(const model::Experiment& recorded, const model::Experiment& wanted) {
  if (recorded.variant != wanted.variant) return 0;
  if (recorded == wanted) return kSameExperiment;
  const auto worth = [](bool same, unsigned much) { return same ? much : 0; };
  return 32 + worth(recorded.type == wanted.type, 16) + worth(recorded.op == wanted.op, 8) +
         worth(recorded.threads == wanted.threads, 4) + worth(recorded.elements == wanted.elements, 2) +
         worth(recorded.data == wanted.data, 1);
}

const model::Experiment* nearestRecorded(const archive::RecordingIndex& index,
                                         const model::Experiment& wanted,
                                         FieldSet<model::Experiment> required) {
  required.add(&model::Experiment::variant);
  const model::Experiment* nearest = nullptr;
  for (const archive::RecordingEntry& entry : index.traces)
    if (required.agree(entry.experiment, wanted) &&
        (nearest == nullptr || nearnessOf(entry.experiment, wanted) > nearnessOf(*nearest, wanted)))
      nearest = &entry.experiment;
  return nearest;
}

namespace {

template <class T>
bool contains(const std::vector<T>& all, T value) {
  return std::ranges::find(all, value) != all.end();
}

// The sentence, and after it why the variant offers no more, if it says so.
std::string withReason(std::string sentence, const model::Kernel& kernel) {
  if (!kernel.onlyThese.empty()) sentence.append(" ").append(kernel.onlyThese);
  return sentence;
}

// As many lists as were given, in a block that has a thread for each.
void makeListsLegal(const model::Kernel& kernel, model::Experiment& experiment) {
  experiment.lists = 0;
  const model::GivenData* const given = experiment.given.get();
  if (!kernel.merges() || given == nullptr || given->listLengths.empty()) return;
  experiment.lists = unsigned(given->listLengths.size());
  for (const unsigned threads : kernel.threads)
    if (threads >= experiment.lists) {
      experiment.threads = std::max(experiment.threads, threads);
      return;
    }
}

}  // namespace

void makeLegal(model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return;
  if (!contains(kernel->types, experiment.type)) experiment.type = kernel->types.front();
  if (!kernel->offers(experiment.type, experiment.op)) experiment.op = kernel->operators.front();
  if (!contains(kernel->threads, experiment.threads)) {
    const auto distance = [&](unsigned threads) {
      return threads > experiment.threads ? threads - experiment.threads : experiment.threads - threads;
    };
    experiment.threads = *std::ranges::min_element(kernel->threads, {}, distance);
  }
  makeListsLegal(*kernel, experiment);
  if (!kernel->isOfSeveralGpus())
    experiment.gpus = 1;
  else if (experiment.gpus == 1)
    experiment.gpus = model::kDefaultGpus;
}

bool isOneBlockLoad(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  return kernel != nullptr && experiment.given.get() == nullptr &&
         experiment.elements == engine::defaultElements(*kernel, experiment.threads);
}

std::optional<model::DataPattern> chosenData(const model::Experiment& experiment) {
  const bool isDefault =
      experiment.data == model::DataPattern::Given || experiment.data == kernels::defaultData(experiment);
  return isDefault ? std::nullopt : std::optional(experiment.data);
}

std::string whyNotType(const model::Kernel& kernel, model::ElementType type, model::Operator op) {
  if (!contains(kernel.types, type))
    return withReason(kernel.title + " is not offered for " + std::string(model::nameOf(type)) + ".", kernel);
  if (!model::isOffered(type, op))
    return std::string(model::nameOf(op)) + " works on bits, which " + std::string(model::nameOf(type)) +
           " values do not offer.";
  if (!kernel.offers(type, op)) return kernel.onlyThese;
  return {};
}

std::string whyNotOperator(const model::Kernel& kernel, model::ElementType type, model::Operator op) {
  if (!contains(kernel.operators, op) && !(op == model::Operator::Custom && kernel.takesCustom()))
    return withReason(
        kernel.title + " is not offered with " +
            (op == model::Operator::Custom ? "an operator of your own" : std::string(model::nameOf(op))) +
            ".",
        kernel);
  return whyNotType(kernel, type, op);
}

std::string whyNotThreads(const model::Kernel& kernel, unsigned threads) {
  if (contains(kernel.threads, threads)) return {};
  std::string sizes;
  for (const unsigned size : kernel.threads) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
  std::string sentence = kernel.title + " takes these block sizes: " + sizes + ".";
  if (!kernel.onlyTheseSizes.empty()) sentence.append(" ").append(kernel.onlyTheseSizes);
  return sentence;
}

std::optional<std::uint64_t> elementsOfBlocks(const model::Experiment& experiment, unsigned blocks) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr || kernel->merges() || kernel->isOfSeveralGpus()) return std::nullopt;
  const std::uint64_t loads = std::uint64_t(blocks) * experiment.threads * kernel->launch.elementsPerThread;
  if (!kernel->launch.strides()) return loads;
  constexpr unsigned kMaxElementsOfAThread = 1 << 10;  // more than any rule for launches waits for
  for (std::uint64_t n = loads; n <= loads * kMaxElementsOfAThread; n *= 2)
    if (kernel->launch.blocks(n, experiment.threads) == blocks) return n;
  return std::nullopt;
}

std::string whyNotElements(const model::Experiment& experiment, std::uint64_t elements) {
  if (elements > engine::kMaxElements)
    return "n is at most " + sizeText(engine::kMaxElements) + " elements. Type a smaller number.";
  model::Experiment request = experiment;
  request.elements = elements;
  request.data = kernels::defaultData(request);
  request.given = {};
  request.lists = 0;
  const auto checked = engine::checkedExperiment(request, true);
  return checked ? std::string() : checked.error().sentence;
}

std::vector<unsigned> allBlockSizes() {
  std::set<unsigned> sizes;
  for (const kernels::Variant& variant : kernels::catalog())
    sizes.insert(variant.threads.begin(), variant.threads.end());
  return {sizes.begin(), sizes.end()};
}

}  // namespace stridescope::session
