// What an engine in a process of its own is asked, and the worker that answers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/worker/byte_stream.h"
#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

using EngineMaker = std::function<Result<std::unique_ptr<Engine>>()>;

// Makes the engine, makes it ready (Engine::prepare with nothing to prepare), and answers until the stream is
// closed. Gives the process's exit code. When the stream closes in the middle of work, nobody waits for it:
// the process ends there and then, whatever the GPU does.
int serveEngine(const EngineMaker& make, const ByteStream& stream);
// The same over the socket that the program gave this process (beginWorker() in rpc_server.h).
int serveEngine(const EngineMaker& make);

// What an engine in a process of its own is asked: the engines' interface (engine/engine.h), call by call.

inline constexpr CallType<std::vector<model::Experiment>, Nothing> kPrepare{1};
inline constexpr CallType<model::Experiment, model::Trace> kRecord{2, kMaxBodyBytes};
inline constexpr CallType<model::Experiment, model::OperatorTrial> kTry{3};
inline constexpr CallType<model::Experiment, std::string> kFold{4};
// It says that it is ready as its Engine::executor().
inline constexpr Service kEngineService =
    serviceOf<model::Executor>("engine", kPrepare, kRecord, kTry, kFold);

}  // namespace stridescope::engine::worker
