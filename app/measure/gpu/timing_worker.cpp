// The worker's side.
#include "measure/gpu/timing_worker.h"

#include <cstdlib>

#include "base/result.h"
#include "engine/worker/rpc_server.h"
#include "engine/worker/worker_process.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/gpu/timing_service.h"

namespace stridescope::measure::gpu {
namespace {

using engine::JobControl;
using engine::worker::Nothing;
using model::Experiment;

constexpr int kNotAWorker = 2;  // exit codes
constexpr int kNoDevice = 3;

engine::worker::CallTable callsOf(TimingDevice& device) {
  engine::worker::CallTable calls;
  calls
      .on(kPrepareTiming,
          [&](const PrepareCall& asked, JobControl& job) {
            return device.prepare(asked.timingCase, asked.subjects, job);
          })
      .on(kTakeSample, [&](std::uint64_t subject, JobControl& job) { return device.sample(subject, job); })
      .on(kAskDisturbances, [&](Nothing, JobControl& job) { return device.disturbances(job); })
      .on(kClockBlock, [&](const ClockCall& asked,
                           JobControl& job) { return device.clock(asked.experiment, asked.company, job); })
      .on(kCountRun, [&](const Experiment& asked, JobControl& job) { return device.count(asked, job); })
      .on(kMarkGrid, [&](const Experiment& asked, JobControl& job) { return device.mark(asked, job); })
      .on(kCostRun, [&](const Experiment& asked, JobControl& job) { return device.cost(asked, job); });
  return calls;
}

}  // namespace

std::optional<unsigned> timingWorkerIndex(int argc, const char* const* argv) {
  return engine::worker::indexAfter(kTimingWorkerCommand, argc, argv);
}

int serveTimings(const std::function<Result<std::unique_ptr<TimingDevice>>()>& make) {
  const auto stream = engine::worker::beginWorker();
  if (!stream) return kNotAWorker;
  engine::worker::RpcServer server(kTimingService, *stream);
  const auto device = withoutExceptions("opening the GPU", make);
  if (!device) {
    server.failed(device.error());
    return kNoDevice;
  }
  server.ready((*device)->facts());
  server.serve(callsOf(**device), [&] { return (*device)->isUsable(); });
  return EXIT_SUCCESS;
}

int serveGpuTimings(unsigned index) {
  return serveTimings([index] { return makeGpuTimingDevice(index); });
}

}  // namespace stridescope::measure::gpu
