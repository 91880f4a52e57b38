// What the rounds of the sequential variant cost: what other variants' rounds are compared with.
#pragma once

#include <map>
#include <string>

#include "analysis/round_cycles.h"
#include "engine/engine.h"
#include "session/run.h"
#include "session/services.h"

namespace stridescope::session {

inline constexpr const char* kReferenceVariant = "sequential";

// By the number of threads that combine, with one block alone, at the trace's type, operator and block size,
// on the GPU of this name. Empty: nothing is recorded of it, or the trace is of that variant itself. Steps
// the variant on the CPU executor to know its rounds.
std::map<unsigned, analysis::Cycles> referenceCycles(const SessionServices& services,
                                                     const std::string& engineId,
                                                     const model::Experiment& experiment,
                                                     const std::string& device, engine::JobControl& job);

// A run with the recorded cycles that tell of it, and those that they are compared with.
Result<std::shared_ptr<const Run>> runWithCycles(const SessionServices& services, const std::string& engineId,
                                                 model::Trace trace, engine::JobControl& job);

}  // namespace stridescope::session
