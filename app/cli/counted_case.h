// A counter record beside the model, for `counters` and `verify --counters`.
#pragma once

#include "cli/counters_report.h"
#include "engine/engine.h"
#include "measure/measured_runs.h"

namespace stridescope::cli {

// Takes out the records in which no launch has a counter, and notes each: there is nothing to show of them.
void leaveOutUncounted(measure::MeasuredRuns<model::CounterRecord>& runs);

// `cpu`, the CPU executor, steps the experiment for what the model says; where it cannot, no counter has a
// modelled value, and the sentence in `why` says so.
CountedCase besideTheModel(model::CounterRecord record, engine::Engine& cpu, engine::JobControl& job,
                           std::string& why);

}  // namespace stridescope::cli
