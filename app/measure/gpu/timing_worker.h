// The GPU's timings in a process of their own: this program, started once more with a command that --help
// does not list. A kernel that fails, hangs or crashes ends that process alone, and all of the GPU's memory
// is given back with it. No context is ever made on the GPU by the process that calls these.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/worker/gpu_worker.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// ---- the program's side

// Starts the worker and waits until it has opened the GPU and measured its ceilings, or the job is cancelled.
Result<std::unique_ptr<TimingDevice>> makeGpuTimingWorker(engine::worker::GpuWorkers& workers, unsigned gpu,
                                                          engine::JobControl& job);

// The same for any program that serves a device on the worker's socket; `silenceSeconds`: how long it may say
// nothing.
Result<std::unique_ptr<TimingDevice>> makeTimingWorker(const engine::worker::WorkerCommand& command,
                                                       double silenceSeconds, engine::JobControl& job);

// ---- the worker's side

// The N of `timing-worker N`, if that is what the program was started with.
std::optional<unsigned> timingWorkerIndex(int argc, const char* const* argv);

// Serves GPU `index` on the worker's socket until that is closed. The process's exit code.
int serveGpuTimings(unsigned index);
int serveTimings(const std::function<Result<std::unique_ptr<TimingDevice>>()>& make);

}  // namespace stridescope::measure::gpu
