#include "lab/sources/sources.h"

#include <utility>

#include "engine/host/host_engine.h"
#include "engine/recorded/recorded_engine.h"
#include "engine/sandbox/custom_engine.h"
#include "measure/cpu/cpu_device.h"
#include "measure/gpu/timing_worker.h"

namespace stridescope::lab::sources {
namespace {

Result<Opened> openHost(const Sources& sources) {
  if (!sources.makeHost) return unavailable("This build has no CPU executor.");
  return Opened{.engine = sources.makeHost()};
}

Result<std::unique_ptr<engine::Engine>> makeGpu(const Sources& sources, unsigned index) {
  if (!sources.makeGpu)
    return unavailable(
        "This build has no GPU engine; use the CPU executor (on the command line: "
        "--engine host) or a recording.");
  return sources.makeGpu(index);
}

Result<Opened> openAuto(const Sources& sources, engine::OnGpuFailure onGpuFailure) {
  auto gpu = makeGpu(sources, 0);
  if (!gpu) {
    auto host = openHost(sources);
    if (host) host->whyNoGpu = gpu.error().sentence;
    return host;
  }
  if (!sources.makeHost) return Opened{.engine = *std::move(gpu)};
  return Opened{.engine =
                    std::make_unique<engine::AutoEngine>(*std::move(gpu), sources.makeHost(), onGpuFailure)};
}

Result<Opened> openRecording(const std::string& file) {
  auto index = archive::readIndex(file);
  if (!index) return tl::unexpected(index.error());
  return Opened{.engine = recordingOf(file, *index), .recording = *std::move(index)};
}

}  // namespace

Result<Opened> Sources::open(const std::string& name, engine::OnGpuFailure onGpuFailure) const {
  const auto parsed = engine::parseEngineName(name);
  if (!parsed) return usageError("There is no engine '" + name + "'.");
  switch (parsed->kind) {
    case engine::EngineNameKind::Host:
      return openHost(*this);
    case engine::EngineNameKind::Auto:
      return openAuto(*this, onGpuFailure);
    case engine::EngineNameKind::Gpu:
      return sources::makeGpu(*this, parsed->gpu).map([](auto gpu) {
        return Opened{.engine = std::move(gpu)};
      });
    case engine::EngineNameKind::Recording:
      break;
  }
  return openRecording(name);
}

std::unique_ptr<engine::Engine> recordingOf(const std::string& file, archive::RecordingIndex index) {
  return engine::recorded::makeRecordedEngine(file, std::move(index));
}

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
