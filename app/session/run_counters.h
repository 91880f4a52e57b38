// What the hardware counted of a run's experiment: recorded at once, and on the GPU that ran it a moment
// later.
#pragma once

#include <optional>
#include <string>

#include "model/counters.h"
#include "session/run.h"
#include "session/services.h"

namespace stridescope::session {

// Immutable.
struct RunCounters {
  std::optional<model::CounterRecord> record{};  // of the run's experiment and kernel
  bool live = false;  // counted for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
};

// The newest that is recorded, as the engine or recording of this id has it.
RunCounters recordedCounters(const Run& run, const std::string& engineId, const SessionServices& services);

}  // namespace stridescope::session
