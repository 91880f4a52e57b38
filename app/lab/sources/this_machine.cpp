#include <utility>

#include "engine/access/gpu_access.h"
#include "engine/host/host_engine.h"
#include "engine/sandbox/custom_engine.h"
#include "engine/worker/gpu_worker.h"
#include "lab/sources/sources.h"
#include "measure/cpu/cpu_device.h"
#include "measure/gpu/own_kernel_worker.h"
#include "measure/gpu/timing_worker.h"

namespace stridescope::lab::sources {

Sources ofThisMachine(std::shared_ptr<engine::CodeTrust> trust,
                      std::shared_ptr<engine::worker::GpuWorkers> gpus) {
  Sources sources;
  sources.makeHost = [trust] {
    return engine::sandbox::makeCustomEngine(engine::host::makeHostEngine(), trust);
  };
  sources.makeGpu = [trust, gpus](unsigned index) {
    return gpus->engine(index).map(
        [&](auto gpu) { return engine::sandbox::makeCustomEngine(std::move(gpu), trust); });
  };
  sources.timing.makeGpu = [gpus](unsigned gpu, engine::JobControl& job) {
    return measure::gpu::makeGpuTimingWorker(*gpus, gpu, job);
  };
  sources.timing.makeGpus = [gpus](unsigned count, engine::JobControl& job) {
    return measure::gpu::makeGroupTimingWorker(*gpus, count, job);
  };
  sources.timing.makeCpu = measure::cpu::makeCpuTimingDevice;
  sources.compileCode = [gpus](const model::Experiment& experiment, std::optional<unsigned> gpu) {
    return gpus->machineCode(experiment, gpu);
  };
  sources.recordOwnOnGpu = [gpus](unsigned gpu) {
    return std::make_unique<engine::access::GpuAccess>(
        gpus->command(engine::access::gpuAccessArguments(gpu)));
  };
  sources.measureOwnOnGpu = [gpus](unsigned gpu) {
    return std::make_unique<measure::gpu::OwnKernelMeasuring>(
        gpus->command(measure::gpu::ownKernelArguments(gpu)));
  };
  sources.shipped = shippedRecords();
  return sources;
}

}  // namespace stridescope::lab::sources
