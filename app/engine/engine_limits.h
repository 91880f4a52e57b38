// What an engine cannot run though the experiment is legal.
#pragma once

#include <string>

#include "base/result.h"
#include "model/trace.h"

namespace stridescope::engine {

// A sentence: why this executor does not run the experiment; empty if it does. An experiment
// whose variant is unknown is refused elsewhere (experiment_check.h).
std::string refusalOf(const model::Executor& executor, const model::Experiment& experiment);

// A sentence: why the CPU executor does not run so many elements; empty if it does.
std::string whyNotOnCpu(std::uint64_t elements);

// The experiment with all that was left open filled in but its size (checkedExperiment), if it is legal and
// the executor does not refuse it.
Result<model::Experiment> runnableExperiment(const model::Executor& executor, const model::Experiment& asked);

}  // namespace stridescope::engine
