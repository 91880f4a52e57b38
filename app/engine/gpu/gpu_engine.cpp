#include "engine/gpu/gpu_engine.h"

#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "engine/experiment_check.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/launch_recorder.h"
#include "engine/gpu/try.h"
#include "engine/reference.h"
#include "engine/utc_now.h"
#include "kernels/catalog.h"
#include "trace/value.h"

namespace stridescope {
namespace {

constexpr std::size_t kMostLoadedModules = 64;

// The kernel's arguments in the order of its parameters, which are known by name.
Result<std::vector<KernelBuffer>> bindBuffers(const Instrumented& instrumented, const KernelBuffer& in,
                                              const KernelBuffer& out) {
  std::vector<KernelBuffer> buffers;
  for (const std::string& parameter : instrumented.parameters) {
    if (parameter != in.name && parameter != out.name)
      return unavailable("The kernel " + instrumented.kernel + " has a parameter '" + parameter +
                         "' that the GPU engine does not know. Name its parameters in and out.");
    buffers.push_back(parameter == in.name ? in : out);
  }
  return buffers;
}

class GpuEngine final : public Engine {
 public:
  GpuEngine(GpuSession session, const RecordLimits& limits)
      : session_(std::move(session)),
        recorder_(*session_.device, limits),
        buffers_{DeviceMemory(*session_.device), DeviceMemory(*session_.device)} {}

  Executor executor() const override {
    const DeviceFacts& facts = session_.device->facts();
    return {.kind = EngineKind::Gpu,
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

  Result<void> prepare(std::span<const Experiment> experiments, JobControl& job) override {
    return withoutExceptions([&]() -> Result<void> {
      STRIDESCOPE_TRY(openGpu());
      std::vector<KernelText> kernels;
      std::set<std::string> seen;  // many experiments share a module
      for (const Experiment& experiment : experiments) {
        KernelText kernel = kernelTextOf(experiment);
        if (seen.insert(kernel.preamble + kernel.text).second) kernels.push_back(std::move(kernel));
      }
      const auto compiled = session_.compiler->precompile(kernels, job);
      if (!compiled) return tl::unexpected(compiled.error());
      return {};
    });
  }

  Result<Trace> record(const Experiment& experiment, JobControl& job) override {
    return withoutExceptions([&] {
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
  Result<Trace> recordAlone(const Experiment& asked, JobControl& job);
  Result<GpuModule*> moduleOf(const KernelText& kernel, Instrumented& instrumented);
  Result<void> fillInput(const Experiment& experiment, std::uint64_t paddedElements);
  Result<void> makeOutput(const Experiment& experiment, DeviceMemory& output, std::uint64_t elements,
                          std::uint64_t paddedElements);
  Result<std::uint64_t> fetchResult(const Experiment& experiment, const DeviceMemory& from);
  Result<void> upload(CUdeviceptr to, const std::vector<std::uint8_t>& bytes, const char* doing);

  GpuSession session_;
  mutable std::mutex mutex_;
  LaunchRecorder recorder_;
  // Launch i reads buffers_[i % 2] and writes the other, which is then the next one's input.
  std::array<DeviceMemory, 2> buffers_;
  std::map<std::string, std::unique_ptr<GpuModule>> modules_;  // by preamble and text
};

Result<Trace> GpuEngine::recordAlone(const Experiment& asked, JobControl& job) {
  const auto checked = checkedExperiment(asked, true);
  if (!checked) return tl::unexpected(checked.error());
  const Experiment& experiment = *checked;
  const Variant* const variant = findVariant(experiment.variant);
  const auto tell = [&](float fraction, const std::string& doing) {
    if (job.progress) job.progress(fraction, doing);
  };

  const auto entered = session_.device->enter();
  if (!entered) return tl::unexpected(entered.error());
  tell(0.0f, "compiling " + experiment.variant);
  const KernelText kernel = kernelTextOf(experiment);
  Instrumented instrumented;
  const auto module = moduleOf(kernel, instrumented);
  if (!module) return tl::unexpected(module.error());
  if (job.cancel) return cancelled();

  Trace trace;
  trace.experiment = experiment;
  trace.kernelText = kernel.text;
  trace.preamble = kernel.preamble;
  trace.executor = executor();
  trace.sites = instrumented.sites;
  const unsigned bytes = bytesOf(experiment.type);
  const std::uint64_t perBlock = std::uint64_t(experiment.threads) * variant->elementsPerThread;
  const std::vector<LaunchShape> launches = planLaunches(*variant, experiment);
  tell(0.2f, "copying the input");
  STRIDESCOPE_TRY(fillInput(experiment, launches.front().grid * perBlock));

  bool finished = true;
  for (std::size_t i = 0; i < launches.size() && finished; ++i) {
    if (job.cancel) return cancelled();
    const LaunchShape& shape = launches[i];
    tell(0.3f + 0.6f * static_cast<float>(i) / static_cast<float>(launches.size()),
         "recording launch " + std::to_string(i));
    const bool last = i + 1 == launches.size();
    const DeviceMemory& input = buffers_[i % 2];
    DeviceMemory& output = buffers_[(i + 1) % 2];
    STRIDESCOPE_TRY(
        makeOutput(experiment, output, shape.grid, last ? shape.grid : launches[i + 1].grid * perBlock));
    const auto buffers =
        bindBuffers(instrumented, {"in", bytes, shape.grid * perBlock * bytes, input.address()},
                    {"out", bytes, shape.grid * bytes, output.address()});
    if (!buffers) return tl::unexpected(buffers.error());
    auto launch =
        recorder_.record(**module, instrumented,
                         {.grid = shape.grid, .threads = shape.threads, .sharedBytes = shape.sharedBytes},
                         shape.inspected, *buffers);
    if (!launch) return tl::unexpected(launch.error());
    launch->trace.elements = shape.elements;
    finished = launch->finished;
    trace.launches.push_back(std::move(launch->trace));
  }

  const auto result = fetchResult(experiment, buffers_[trace.launches.size() % 2]);
  if (!result) return tl::unexpected(result.error());
  const Check check = checkResult(experiment, *result);
  trace.expected = check.expected;
  if (finished) {
    trace.result = printElement(experiment.type, *result);
    trace.ok = check.ok;
    trace.checkNote = check.note;
  } else {
    trace.checkNote = "The run did not end: " + trace.launches.back().problems.front().text;
  }
  return trace;
}

Result<GpuModule*> GpuEngine::moduleOf(const KernelText& kernel, Instrumented& instrumented) {
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

Result<void> GpuEngine::fillInput(const Experiment& experiment, std::uint64_t paddedElements) {
  // Asked before the host builds an input that the GPU could not take.
  std::size_t free = 0, total = 0;
  STRIDESCOPE_TRY(session_.device->check(session_.device->api().cuMemGetInfo(&free, &total), "cuMemGetInfo",
                                         "ask how much GPU memory is free"));
  if (paddedElements > total / bytesOf(experiment.type))
    return unavailable(std::to_string(experiment.elements) + " elements are more than the " +
                       bytesText(total) + " of memory of " + session_.device->facts().name +
                       " hold. Take fewer elements.");
  const std::vector<std::uint8_t> input = makeInput(experiment, paddedElements);
  STRIDESCOPE_TRY(buffers_[0].reserve(input.size()));
  return upload(buffers_[0].address(), input, "copy the input to the GPU");
}

// `elements` partial results, then identities up to the next launch's whole blocks.
Result<void> GpuEngine::makeOutput(const Experiment& experiment, DeviceMemory& output, std::uint64_t elements,
                                   std::uint64_t paddedElements) {
  const unsigned bytes = bytesOf(experiment.type);
  STRIDESCOPE_TRY(output.reserve(paddedElements * bytes));
  if (paddedElements <= elements) return {};
  std::vector<std::uint8_t> padding((paddedElements - elements) * bytes);
  const std::uint64_t identity = identityBits(experiment.type, experiment.op);
  for (std::size_t at = 0; at < padding.size(); at += bytes)
    std::memcpy(padding.data() + at, &identity, bytes);
  return upload(output.address() + elements * bytes, padding, "fill the input up with the identity");
}

Result<std::uint64_t> GpuEngine::fetchResult(const Experiment& experiment, const DeviceMemory& from) {
  GpuDevice& device = *session_.device;
  constexpr const char* doing = "copy the result back";
  std::uint64_t bits = 0;
  STRIDESCOPE_TRY(device.check(
      device.api().cuMemcpyDtoHAsync(&bits, from.address(), bytesOf(experiment.type), device.stream()),
      "cuMemcpyDtoHAsync", doing));
  STRIDESCOPE_TRY(
      device.check(device.api().cuStreamSynchronize(device.stream()), "cuStreamSynchronize", doing));
  return bits;
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
  return withoutExceptions([&]() -> Result<std::unique_ptr<Engine>> {
    auto session = GpuSession::open(index, places, ContextKind::Own);
    if (!session) return tl::unexpected(session.error());
    return std::make_unique<GpuEngine>(std::move(*session), limits);
  });
}

}  // namespace stridescope
