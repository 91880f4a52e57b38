// The GPU's engine in a process of its own: this program, started once more with a command that --help does
// not list. No context is ever made on the GPU by the process that calls these.
#pragma once

#include <memory>
#include <optional>

#include "engine/engine.h"
#include "engine/worker/worker_engine.h"

namespace stridescope::engine::worker {

// How this program is started to serve GPU `index`: `stridescope gpu-worker N`.
WorkerCommand gpuWorkerCommand(unsigned index);

// The N of `gpu-worker N`, if that is what the program was started with.
std::optional<unsigned> gpuWorkerIndex(int argc, const char* const* argv);

Result<std::unique_ptr<Engine>> makeGpuWorkerEngine(unsigned index);

}  // namespace stridescope::engine::worker
