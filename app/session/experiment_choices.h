// What a person chose of an experiment, apart from what can be had: a variant or a recording may need other
// values for a while, which are then borrowed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/result.h"
#include "kernels/catalog.h"
#include "model/experiment.h"
#include "model/experiment_fields.h"

namespace stridescope::archive {
struct RecordingIndex;
}

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

// Whether the field's value was chosen; else it follows the variant.
bool isChosen(const model::ExperimentField& field, const ExperimentChoices& choices);

// The fields in which a person chose otherwise than before.
FieldSet<model::Experiment> chosenAnew(const ExperimentChoices& before, const ExperimentChoices& now);

// What a recording has of what a person may choose.

// How near a recorded experiment is to another: the variant counts most. 0: another variant.
inline constexpr unsigned kSameExperiment = 64;
unsigned nearnessOf(const model::Experiment& recorded, const model::Experiment& wanted);

// The nearest to `wanted` of those that agree with it in the variant and in `required`; null: there is none.
const model::Experiment* nearestRecorded(const archive::RecordingIndex& index,
                                         const model::Experiment& wanted,
                                         FieldSet<model::Experiment> required);

// What may be chosen together, and why the rest may not.

// Moves type, operator, block size and a merge's lists to the nearest that the variant offers, so that
// changing one choice never leaves an illegal experiment. The variant itself is kept; an unknown one is left
// to checkedExperiment().
void makeLegal(model::Experiment& experiment);

// Whether n is what the variant's block takes in at once, so that it may follow the block and the variant.
bool isOneBlockLoad(const model::Experiment& experiment);

// The data pattern, where it is another than the one that suits the variant and operator by default: it is
// then a person's own choice, and stays whatever variant and operator come.
std::optional<model::DataPattern> chosenData(const model::Experiment& experiment);

// Empty if the pair is offered by the variant; else a sentence for the tooltip of a greyed-out choice.
std::string whyNotType(const model::Kernel& kernel, model::ElementType type, model::Operator op);
std::string whyNotOperator(const model::Kernel& kernel, model::ElementType type, model::Operator op);
std::string whyNotThreads(const model::Kernel& kernel, unsigned threads);

// The least n with which the first launch has so many blocks, from 1; nullopt: the variant has no such
// launch, or the number of blocks says nothing (a merge).
std::optional<std::uint64_t> elementsOfBlocks(const model::Experiment& experiment, unsigned blocks);

// Empty if n may be so many; else a sentence for the field that it was typed in. An engine may still refuse.
std::string whyNotElements(const model::Experiment& experiment, std::uint64_t elements);

// Block sizes that any variant offers, ascending.
std::vector<unsigned> allBlockSizes();

}  // namespace stridescope::session
