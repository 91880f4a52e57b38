// An experiment and who ran it, as members of JSON's format 1.
#pragma once

#include "cli/json_writer.h"
#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::cli {

// "variant", "engine" and "experiment" of an object. What an experiment does not have has its default.
void writeRun(JsonWriter& json, const model::Experiment& experiment, const model::Executor& executor);

}  // namespace stridescope::cli
