#include "engine/gpu/gpu_engine.h"

#include <map>
#include <mutex>
#include <set>

#include "base/utc_now.h"
#include "base/without_exceptions.h"
#include "engine/engine_limits.h"
#include "engine/experiment_check.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/launch_recorder.h"
#include "engine/gpu/try.h"
#include "engine/run_data.h"
#include "kernels/described_arrays.h"
#include "kernels/run_plan.h"

namespace stridescope::engine::gpu {
namespace {

constexpr std::size_t kMostLoadedModules = 64;

class GpuEngine final : public Engine {
 public:
  GpuEngine(GpuSession session, const RecordLimits& limits)
      : session_(std::move(session)), recorder_(*session_.device, limits) {}

  model::Executor executor() const override {
    const DeviceFacts& facts = session_.device->facts();
    return {.kind = model::EngineKind::Gpu,
            .device = facts.name,
            .computeCapability = facts.capabilityText(),
            .driver = session_.driverRelease,
            .compiler = "NVRTC " + session_.compiler->nvrtc().versionText(),
            .recordedOn = utcNow()};
  }

  bool isUsable() const override {
    const std::scoped_lock lock(mutex_);
    return session_.device->isUsable();
  }

  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    return withoutExceptions("preparing kernels", [&]() -> Result<void> {
      STRIDESCOPE_TRY(openGpu());
      std::vector<KernelText> kernels;
      std::set<std::string> seen;  // many experiments share a module
      for (const model::Experiment& experiment : experiments) {
        KernelText kernel = kernelTextOf(experiment);
        if (seen.insert(kernel.preamble + kernel.text).second) kernels.push_back(std::move(kernel));
      }
      const auto compiled = session_.compiler->precompile(kernels, job);
      if (!compiled) return tl::unexpected(compiled.error());
      return {};
    });
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    return withoutExceptions("recording " + experiment.variant, [&] {
      const std::scoped_lock lock(mutex_);
      return recordAlone(experiment, job);
    });
  }

 private:
  Result<void> openGpu() {
    const std::scoped_lock lock(mutex_);
    const auto entered = session_.device->enter();
    if (!entered) return tl::unexpected(entered.error());
    return recorder_.makeReady();
  }
  Result<model::Trace> recordAlone(const model::Experiment& asked, JobControl& job);
  Result<GpuModule*> moduleOf(const KernelText& kernel, instrument::Instrumented& instrumented);
  Result<void> fillBuffers(const kernels::RunPlan& plan, const model::Experiment& experiment);
  std::vector<KernelArgument> bind(const kernels::RunPlan& plan, const kernels::LaunchShape& shape);
  Result<std::vector<std::uint8_t>> fetch(unsigned buffer, std::uint64_t bytes);
  Result<void> upload(CUdeviceptr to, const std::vector<std::uint8_t>& bytes, const char* doing);

  GpuSession session_;
  mutable std::mutex mutex_;
  LaunchRecorder recorder_;
  std::vector<std::unique_ptr<DeviceMemory>> buffers_;         // of the plan, by index; kept for the next run
  std::map<std::string, std::unique_ptr<GpuModule>> modules_;  // by preamble and text
};

Result<model::Trace> GpuEngine::recordAlone(const model::Experiment& asked, JobControl& job) {
  const auto checked = checkedExperiment(asked, true);
  if (!checked) return tl::unexpected(checked.error());
  const model::Experiment& experiment = *checked;
  if (const std::string refusal = refusalOf(executor(), experiment); !refusal.empty())
    return usageError(refusal + " Step it on the CPU executor.");
  const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
  const auto tell = [&](float fraction, const std::string& doing) {
    if (job.progress) job.progress(fraction, doing);
  };

  const auto entered = session_.device->enter();
  if (!entered) return tl::unexpected(entered.error());
  tell(0.0f, "compiling " + experiment.variant);
  const KernelText kernel = kernelTextOf(experiment);
  instrument::Instrumented instrumented;
  const auto module = moduleOf(kernel, instrumented);
  if (!module) return tl::unexpected(module.error());
  if (job.cancel) return cancelled();

  model::Trace trace;
  trace.experiment = experiment;
  trace.kernelText = kernel.text;
  trace.preamble = kernel.preamble;
  trace.executor = executor();
  trace.sites = instrumented.sites;
  trace.kernel = instrumented.model;
  const kernels::RunPlan plan = kernels::planRun(*variant, experiment);
  tell(0.2f, "copying the input");
  STRIDESCOPE_TRY(fillBuffers(plan, experiment));

  bool finished = true;
  for (std::size_t i = 0; i < plan.launches.size() && finished; ++i) {
    if (job.cancel) return cancelled();
    const kernels::LaunchShape& shape = plan.launches[i];
    tell(0.3f + 0.6f * static_cast<float>(i) / static_cast<float>(plan.launches.size()),
         "recording launch " + std::to_string(i));
    auto launch =
        recorder_.record(**module, instrumented,
                         {.grid = shape.grid, .threads = shape.threads, .sharedBytes = shape.sharedBytes},
                         shape.inspected, bind(plan, shape));
    if (!launch) return tl::unexpected(launch.error());
    launch->trace.elements = shape.elements;
    for (std::size_t array = 0; array < launch->trace.shared.size(); ++array) {
      model::Array& shared = launch->trace.shared[array];
      shared.type = kernels::typeOfDeclared(instrumented.shared[array].elementType, shared.elementBytes,
                                            experiment.type);
    }
    finished = launch->finished;
    trace.launches.push_back(std::move(launch->trace));
  }

  const std::uint64_t elements = resultElements(plan);
  const auto result = fetch(plan.result, elements * model::bytesOf(experiment.type));
  if (!result) return tl::unexpected(result.error());
  Result<std::vector<std::uint8_t>> origin;
  if (plan.origin) origin = fetch(*plan.origin, elements * 4);
  if (!origin) return tl::unexpected(origin.error());
  const RunResult outcome = checkRun(plan, experiment, *result, *origin);
  trace.expected = outcome.expected;
  if (finished) {
    trace.result = outcome.result;
    trace.ok = outcome.ok;
    trace.checkNote = outcome.note;
  } else {
    trace.checkNote = "The run did not end: " + trace.launches.back().problems.front().text;
  }
  return trace;
}

Result<GpuModule*> GpuEngine::moduleOf(const KernelText& kernel, instrument::Instrumented& instrumented) {
  auto compiled = session_.compiler->recorded(kernel, &instrumented);
  if (!compiled) return tl::unexpected(compiled.error());
  const std::string key = kernel.preamble + kernel.text;
  std::erase_if(modules_, [](const auto& entry) { return !entry.second->isAlive(); });
  if (const auto found = modules_.find(key); found != modules_.end()) return found->second.get();
  if (modules_.size() >= kMostLoadedModules) modules_.clear();
  auto loaded = GpuModule::load(*session_.device, *compiled, kernel.kernel);
  if (!loaded) return tl::unexpected(loaded.error());
  return modules_.emplace(key, std::move(*loaded)).first->second.get();
}

Result<void> GpuEngine::fillBuffers(const kernels::RunPlan& plan, const model::Experiment& experiment) {
  // Asked before the host builds an input that the GPU could not take.
  std::size_t free = 0, total = 0;
  STRIDESCOPE_TRY(session_.device->check(session_.device->api().cuMemGetInfo(&free, &total), "cuMemGetInfo",
                                         "ask how much GPU memory is free"));
  std::uint64_t left = total;
  for (const kernels::PlannedBuffer& planned : plan.buffers) {
    const unsigned width = planned.elementBytes;
    if (planned.room > left / width)
      return unavailable(std::to_string(experiment.elements) + " elements are more than the " +
                         bytesText(total) + " of memory of " + session_.device->facts().name +
                         " hold. Take fewer elements.");
    left -= planned.room * width;
  }
  while (buffers_.size() < plan.buffers.size())
    buffers_.push_back(std::make_unique<DeviceMemory>(*session_.device));
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const kernels::PlannedBuffer& planned = plan.buffers[i];
    STRIDESCOPE_TRY(buffers_[i]->reserve(planned.room * planned.elementBytes));
    const InitialBytes initial = initialBytes(planned, experiment);
    if (!initial.bytes.empty())
      STRIDESCOPE_TRY(
          upload(buffers_[i]->address() + initial.from, initial.bytes, "copy the input to the GPU"));
  }
  return {};
}

std::vector<KernelArgument> GpuEngine::bind(const kernels::RunPlan& plan, const kernels::LaunchShape& shape) {
  std::vector<KernelArgument> arguments;
  for (const kernels::PlannedArgument& planned : shape.arguments) {
    const std::string name(planned.parameter.name);
    if (!planned.buffer) {
      arguments.push_back(
          {.name = name, .elementBytes = 0, .bytes = 0, .value = planned.number, .isBuffer = false});
      continue;
    }
    const kernels::PlannedBuffer& buffer = plan.buffers[*planned.buffer];
    arguments.push_back({name, buffer.elementBytes, planned.elements * buffer.elementBytes,
                         buffers_[*planned.buffer]->address(), true, buffer.type, planned.parameter.role});
  }
  return arguments;
}

Result<std::vector<std::uint8_t>> GpuEngine::fetch(unsigned buffer, std::uint64_t bytes) {
  GpuDevice& device = *session_.device;
  constexpr const char* doing = "copy the result back";
  std::vector<std::uint8_t> copy(bytes);
  if (bytes == 0) return copy;
  STRIDESCOPE_TRY(device.check(
      device.api().cuMemcpyDtoHAsync(copy.data(), buffers_[buffer]->address(), bytes, device.stream()),
      "cuMemcpyDtoHAsync", doing));
  STRIDESCOPE_TRY(
      device.check(device.api().cuStreamSynchronize(device.stream()), "cuStreamSynchronize", doing));
  return copy;
}

// The bytes may be dropped when it returns: a copy from pageable memory has read them by then.
Result<void> GpuEngine::upload(CUdeviceptr to, const std::vector<std::uint8_t>& bytes, const char* doing) {
  GpuDevice& device = *session_.device;
  STRIDESCOPE_TRY(
      device.check(device.api().cuMemcpyHtoDAsync(to, bytes.data(), bytes.size(), device.stream()),
                   "cuMemcpyHtoDAsync", doing));
  return device.check(device.api().cuStreamSynchronize(device.stream()), "cuStreamSynchronize", doing);
}

}  // namespace

Result<std::unique_ptr<Engine>> makeGpuEngine(unsigned index, const GpuPlaces& places,
                                              const RecordLimits& limits) {
  return withoutExceptions("opening the GPU", [&]() -> Result<std::unique_ptr<Engine>> {
    auto session = GpuSession::open(index, places, ContextKind::Own);
    if (!session) return tl::unexpected(session.error());
    return std::make_unique<GpuEngine>(std::move(*session), limits);
  });
}

}  // namespace stridescope::engine::gpu
