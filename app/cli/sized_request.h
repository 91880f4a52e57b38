// Experiments of commands that take --size beside -n.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/experiment_options.h"
#include "model/experiment.h"

namespace stridescope::cli {

// The experiment of the options, with `size` as its number of elements unless that is empty; code that was
// typed may be compiled. Its errors have kind Usage.
Result<model::Experiment> sizedExperiment(const Context& context, const std::string& variant,
                                          const std::string& size, const ExperimentOptions& options);

}  // namespace stridescope::cli
