// The worker's side: an engine that answers what arrives on a socket.
#pragma once

#include <functional>
#include <memory>

#include "engine/engine.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

using EngineMaker = std::function<Result<std::unique_ptr<Engine>>()>;

// Makes the engine, makes it ready (Engine::prepare with nothing to prepare), and answers until the socket is
// closed. Gives the process's exit code. When the socket closes in the middle of work, nobody waits for it:
// the process ends there and then, whatever the GPU does.
int serveEngine(const EngineMaker& make, int socket = kWorkerSocket);

}  // namespace stridescope::engine::worker
