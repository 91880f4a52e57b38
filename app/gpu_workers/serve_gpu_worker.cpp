#include "gpu_workers/serve_gpu_worker.h"

#include "engine/access/gpu/serve_gpu_accesses.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/machine_code.h"
#include "engine/library_call.h"
#include "engine/worker/gpu_worker.h"
#include "engine/worker/worker_engine.h"
#include "measure/gpu/group_status.h"
#include "measure/gpu/own_kernel_worker.h"
#include "measure/gpu/timing_worker.h"

namespace stridescope::gpu_workers {

std::optional<int> serveAsGpuWorker(int argc, const char* const* argv) {
  const auto engineGpu = engine::worker::gpuWorkerIndex(argc, argv);
  const auto timedGpu = measure::gpu::timingWorkerIndex(argc, argv);
  const auto groupSize = measure::gpu::groupTimingWorkerSize(argc, argv);
  const auto accessedGpu = engine::access::gpuAccessIndex(argc, argv);
  const auto ownGpu = measure::gpu::ownKernelIndex(argc, argv);
  if (!engineGpu && !timedGpu && !groupSize && !accessedGpu && !ownGpu &&
      !engine::worker::isGpuQueryWorker(argc, argv))
    return std::nullopt;
  engine::showLibraryCalls(engine::worker::kWorkerCalls);
  if (engineGpu)
    return engine::worker::serveEngine([index = *engineGpu] { return engine::gpu::makeGpuEngine(index); });
  if (accessedGpu) return engine::access::gpu::serveGpuAccesses(*accessedGpu);
  if (ownGpu) return measure::gpu::serveOwnKernels(*ownGpu);
  if (timedGpu) return measure::gpu::serveGpuTimings(*timedGpu);
  if (groupSize) return measure::gpu::serveGroupTimings(*groupSize);
  return engine::worker::serveGpuQueries(
      {.status = [] { return engine::gpu::queryGpus(); },
       .group = [] { return measure::gpu::queryGroup(); },
       .machineCode =
           [](const model::Experiment& experiment, std::optional<unsigned> gpu) {
             return engine::gpu::machineCodeOf(experiment, gpu);
           }});
}

}  // namespace stridescope::gpu_workers
