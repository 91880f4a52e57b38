// What an engine in a process of its own is asked: the engines' interface (engine/engine.h), call by call.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/rpc_message.h"

namespace stridescope::engine::worker {

inline constexpr CallType<std::vector<model::Experiment>, Nothing> kPrepare{1};
inline constexpr CallType<model::Experiment, model::Trace> kRecord{2, kMaxBodyBytes};
inline constexpr CallType<model::Experiment, model::OperatorTrial> kTry{3};
inline constexpr CallType<model::Experiment, std::string> kFold{4};
// It says that it is ready as its Engine::executor().
inline constexpr Service kEngineService =
    serviceOf<model::Executor>("engine", kPrepare, kRecord, kTry, kFold);

}  // namespace stridescope::engine::worker
