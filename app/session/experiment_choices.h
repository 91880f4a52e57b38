// What a person chose of an experiment, apart from what can be had: a variant or a recording may need other
// values for a while, which are then borrowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/field_set.h"
#include "base/result.h"
#include "model/chosen_fields.h"

namespace stridescope::session {

struct ExperimentChoices {
  // Those below count only if they were chosen; else they follow the variant.
  model::Experiment experiment{};
  bool threads = false;  // else the variant's default
  // Else one block's load, or the variant's own size; with a person's input data, as many as there are.
  bool elements = false;
  bool data = false;  // else kernels::defaultData(), or a person's input data
  // The type as which a person's input data were read, and their file; empty: they came with a recording.
  model::ElementType numbersType{};
  std::string numbersPath{};
  friend bool operator==(const ExperimentChoices&, const ExperimentChoices&) = default;
};

// What was chosen in an experiment that is there: what is another than the variant's default. One block's
// load follows the block unless `elementsGiven`.
ExperimentChoices choicesOf(const model::Experiment& experiment, bool elementsGiven);

// What is shown at the start: the variant's default in all but the variant.
ExperimentChoices resetChoices(const std::string& variant);

// Chooses the fields that are given, with what follows from each: those below.
void choose(const model::ChosenFields& chosen, ExperimentChoices& choices);

void chooseThreads(ExperimentChoices& choices, unsigned threads);
// These leave a person's input data, and as many elements stay chosen. Another n also leaves the block that
// is inspected. nullopt: one block's load.
void chooseElements(ExperimentChoices& choices, std::optional<std::uint64_t> elements);
void chooseData(ExperimentChoices& choices, model::DataPattern data);
void leaveOwnNumbers(ExperimentChoices& choices);

// The nearest to what was chosen that the variant offers (makeLegal). Input data stay bits of numbersType. n
// is 0 where engine::checkedExperiment() is to find it.
model::Experiment experimentFor(const ExperimentChoices& choices);

// The fields of `experiment` that were chosen otherwise.
FieldSet<model::Experiment> borrowedFields(const ExperimentChoices& choices,
                                           const model::Experiment& experiment);

// The fields in which a person chose otherwise than before.
FieldSet<model::Experiment> chosenAnew(const ExperimentChoices& before, const ExperimentChoices& now);

}  // namespace stridescope::session
