// What the time of a run's experiment is made of, and that of the variant it is taught after.
#pragma once

#include <optional>
#include <string>

#include "analysis/time_parts.h"
#include "engine/engine.h"
#include "session/run.h"
#include "session/run_measured.h"
#include "session/services.h"

namespace stridescope::session {

// What the run's reduction costs, with the counters and the timeline in `measured`, all from one GPU.
std::optional<analysis::ReductionCost> reductionCost(const Run& run, std::optional<model::CostRecord> cost,
                                                     const RunMeasured& measured);

// What another experiment's reduction costs; it is stepped on the CPU executor to know its loads.
std::optional<analysis::ReductionCost> reductionCost(const model::Experiment& experiment,
                                                     std::optional<model::CostRecord> cost,
                                                     std::optional<model::CounterRecord> counters,
                                                     const SessionServices& services,
                                                     engine::JobControl& job);

// All that recordings have of the run, the newest of each, as the engine or recording of this id has them.
RunMeasured recordedMeasurements(const Run& run, const std::string& engineId, const SessionServices& services,
                                 engine::JobControl& job);
RunCosts recordedCosts(const Run& run, const RecordedMeasurements& recorded, const RunMeasured& measured,
                       const SessionServices& services, engine::JobControl& job);

}  // namespace stridescope::session
