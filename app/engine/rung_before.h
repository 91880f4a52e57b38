// The variant that another is taught after, at the same experiment but for the block size.
#pragma once

#include <optional>

#include "model/experiment.h"

namespace stridescope::engine {

// At the block size that the other begins with, where the experiment has that of its own variant; else at the
// same. nullopt: there is none that can be measured beside it, or it cannot be had so.
std::optional<model::Experiment> rungBefore(const model::Experiment& experiment);

}  // namespace stridescope::engine
