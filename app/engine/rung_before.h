// The variant that another is taught after, at the same experiment.
#pragma once

#include <optional>

#include "model/experiment.h"

namespace stridescope::engine {

// nullopt: there is none that can be measured beside it, or it cannot be had so.
std::optional<model::Experiment> rungBefore(const model::Experiment& experiment);

}  // namespace stridescope::engine
