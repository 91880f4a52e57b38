// A plain loop over an experiment's data, printed: the reference that results are held against.
#pragma once

#include <optional>
#include <string>

#include "model/experiment.h"

namespace stridescope::engine {

// nullopt where the result depends on the order: floating sums and products that a double does not hold
// exactly.
std::optional<std::string> plainLoop(const model::Experiment& experiment);

}  // namespace stridescope::engine
