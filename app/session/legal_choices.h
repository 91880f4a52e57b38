// What may be chosen together, and why the rest may not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/catalog.h"
#include "model/experiment.h"

namespace stridescope::session {

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
