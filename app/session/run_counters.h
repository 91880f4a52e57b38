// What the hardware counted of a run's experiment.
#pragma once

#include <string>

#include "model/counters.h"
#include "session/run.h"
#include "session/run_record.h"
#include "session/services.h"

namespace stridescope::session {

using RunCounters = RunRecord<model::CounterRecord>;

// The newest that is recorded, as the engine or recording of this id has it.
RunCounters recordedCounters(const Run& run, const std::string& engineId, const SessionServices& services);

}  // namespace stridescope::session
