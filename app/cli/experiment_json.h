// An experiment and who ran it, as members of JSON's format 1.
#pragma once

#include "cli/json_writer.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::cli {

void writeEngine(JsonWriter& json, const model::Executor& executor);

// Without its variant. What is not there has its default.
void writeExperiment(JsonWriter& json, const model::Experiment& experiment);

}  // namespace stridescope::cli
