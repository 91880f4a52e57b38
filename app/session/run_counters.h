// What the hardware counted of a run's experiment.
#pragma once

#include <string>

#include "model/counters.h"
#include "session/run.h"
#include "session/run_record.h"
#include "session/services.h"

namespace stridescope::session {

using RunCounters = RunRecord<model::CounterRecord>;

// The newest that is recorded.
RunCounters recordedCounters(const Run& run, const RecordedMeasurements& recorded);

}  // namespace stridescope::session
