// An experiment in a line, for sentences and lists that tell experiments apart.
#pragma once

#include <string>

#include "model/experiment.h"

namespace stridescope::engine {

// "sequential int + ramp, 256 threads, 512 elements", and whatever else is not the usual. Different
// experiments have different lines, but for the numbers that a person's own file holds.
std::string summaryOf(const model::Experiment& experiment);

}  // namespace stridescope::engine
