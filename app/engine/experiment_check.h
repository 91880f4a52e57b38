// Is an experiment legal? The same sentences for the command line and for the window.
#pragma once

#include "base/result.h"
#include "kernels/catalog.h"
#include "model/experiment_fields.h"

namespace stridescope::engine {

using model::kMaxElements;

// Fills in what was left open (threads 0: 256, or the nearest legal size below; elements 0 with
// `elementsGiven` false: as many as there is input data, else one block's load, for a merge in at most 128
// lists; a custom operator's bits) and checks variant, type, operator and block size against the catalogue,
// and input data against the experiment (faultOfOwnData). The error names what is wrong, lists what is valid
// and, for a near miss, suggests it.
Result<model::Experiment> checkedExperiment(model::Experiment experiment, bool elementsGiven);

// The size to begin with: one block's load, if the variant asks for nothing else. A merge begins with less in
// a large block, so that its trace is recorded to its end.
std::uint64_t defaultElements(const model::Kernel& kernel, unsigned threads);

// The valid name nearest to `given` by edit distance, if it is near enough to be a slip; else empty.
std::string nearestName(std::string_view given, const std::vector<std::string>& valid);

// The same for a variant: an id of the catalogue, or an alias (model/aliases.h) that is nearer than every
// other one.
std::string nearestVariant(std::string_view given);

}  // namespace stridescope::engine
