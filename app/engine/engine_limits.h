// What an engine cannot run though the experiment is legal.
#pragma once

#include <string>

#include "model/trace.h"

namespace stridescope::engine {

// A sentence: why this executor does not run the experiment; empty if it does. An experiment
// whose variant is unknown is refused elsewhere (experiment_check.h).
std::string refusalOf(const model::Executor& executor, const model::Experiment& experiment);

}  // namespace stridescope::engine
