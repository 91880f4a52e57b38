// Is an experiment legal? The same sentences for the command line and for the window.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "kernels/catalog.h"
#include "model/experiment.h"
#include "model/experiment_fields.h"
#include "model/trace.h"

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

// The same for a variant: an id of the catalogue, or an alias (model/operator_table.h) that is nearer than
// every other one.
std::string nearestVariant(std::string_view given);
// Why the file of a person's own kernel is none, where a variant is asked for.
Error noVariantButAKernel(std::string_view file);

// What an engine cannot run though the experiment is legal.

// A sentence: why this executor does not run the experiment; empty if it does. An experiment
// whose variant is unknown is refused elsewhere.
std::string refusalOf(const model::Executor& executor, const model::Experiment& experiment);
// The same where nothing is recorded: a kernel that has no steps is not refused for it.
std::string refusalOfTiming(const model::Executor& executor, const model::Experiment& experiment);

// A sentence: why the CPU executor does not run so many elements; empty if it does.
std::string whyNotOnCpu(std::uint64_t elements);

// The experiment with all that was left open filled in but its size (checkedExperiment), if it is legal and
// the executor does not refuse it.
Result<model::Experiment> runnableExperiment(const model::Executor& executor, const model::Experiment& asked);

// The variant that another is taught after, at the same experiment but for the block size.

// At the block size that the other begins with, where the experiment has that of its own variant; else at the
// same. nullopt: there is none that can be measured beside it, or it cannot be had so.
std::optional<model::Experiment> rungBefore(const model::Experiment& experiment);

// An experiment in a line, for sentences and lists that tell experiments apart.

// "sequential int + ramp, 256 threads, 512 elements", and whatever else is not the usual. Different
// experiments have different lines, but for the numbers that a person's own file holds.
std::string summaryOf(const model::Experiment& experiment);

}  // namespace stridescope::engine
