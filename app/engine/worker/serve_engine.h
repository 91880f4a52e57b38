// The worker's side: an engine that answers what it is asked (engine_service.h).
#pragma once

#include <functional>
#include <memory>

#include "engine/engine.h"
#include "engine/worker/byte_stream.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

using EngineMaker = std::function<Result<std::unique_ptr<Engine>>()>;

// Makes the engine, makes it ready (Engine::prepare with nothing to prepare), and answers until the stream is
// closed. Gives the process's exit code. When the stream closes in the middle of work, nobody waits for it:
// the process ends there and then, whatever the GPU does.
int serveEngine(const EngineMaker& make, const ByteStream& stream);
// The same over the socket that the program gave this process (beginWorker() in rpc_server.h).
int serveEngine(const EngineMaker& make);

}  // namespace stridescope::engine::worker
