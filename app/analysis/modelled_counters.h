// What the model says that a hardware counter must read.
#pragma once

#include <optional>

#include "analysis/analysis.h"
#include "model/counters.h"

namespace stridescope::analysis {

// The counter's value for one launch. nullopt: the model does not know it: another counter than shared
// memory's, a launch of which one block among several was recorded, or accesses to shared memory whose banks
// are not modelled.
std::optional<double> modelled(model::Counter counter, const model::LaunchTrace& launch,
                               const LaunchAnalysis& analysis);

}  // namespace stridescope::analysis
