#include "session/experiment_choices.h"

#include <utility>

#include "kernels/catalog.h"
#include "session/legal_choices.h"

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

FieldSet<Experiment> chosenAnew(const ExperimentChoices& before, const ExperimentChoices& now) {
  auto fields = FieldSet<Experiment>::differing(before.experiment, now.experiment);
  if (before.threads != now.threads) fields.add(&Experiment::threads);
  if (before.elements != now.elements) fields.add(&Experiment::elements);
  if (before.data != now.data) fields.add(&Experiment::data);
  return fields;
}

}  // namespace stridescope::session
