// What the strides of the sequential variant cost: what other variants' strides are compared with.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analysis/round_cycles.h"
#include "engine/engine.h"
#include "session/services.h"

namespace stridescope::session {

inline constexpr const char* kReferenceVariant = "sequential";

// By stride, with one block alone, at the type, operator and block size of the experiment. Empty: nothing is
// recorded of it, the experiment is of that variant itself, or `job` was cancelled. Steps the variant on the
// CPU executor to know its rounds.
std::map<std::uint64_t, analysis::Cycles> referenceCycles(const SessionServices& services,
                                                          const std::string& engineId,
                                                          const model::Experiment& experiment,
                                                          engine::JobControl& job);

}  // namespace stridescope::session
