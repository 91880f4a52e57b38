#include "engine/gpu/gpu_engine.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/numbers.h"
#include "base/result.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/kernel_compiler.h"
#include "engine/gpu/launch_recorder.h"
#include "engine/record_run.h"
#include "model/quantity.h"

namespace stridescope::engine::gpu {
namespace {

constexpr std::size_t kMaxLoadedModules = 64;
constexpr std::size_t kShortCopy = std::size_t{256} << 20;  // bytes: it takes a fraction of a second

// What an engine keeps from run to run.
struct RecordingGpu {
  RecordingGpu(GpuSession opened, const RecordLimits& limits)
      : session(std::move(opened)), recorder(*session.device, limits) {}

  GpuDevice& device() const { return *session.device; }
  model::Executor executor() const { return session.executor(); }

  GpuSession session;
  LaunchRecorder recorder;
  std::vector<std::unique_ptr<DeviceMemory>> buffers;         // the buffers of a run's plan, by index
  std::map<std::string, std::unique_ptr<GpuModule>> modules;  // by preamble and text
};

// The GPU for one run.
class GpuRun final : public Device {
 public:
  explicit GpuRun(RecordingGpu& gpu) : gpu_(gpu) {}

  model::Executor executor() const override { return gpu_.executor(); }
  Result<PreparedKernel> prepare(const model::Kernel& kernel, const model::Experiment& experiment,
                                 JobControl& job) override;
  Result<std::vector<std::uint64_t>> allocate(std::span<const std::uint64_t> bytes) override;
  Result<void> write(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  Result<void> read(std::uint64_t address, std::span<std::uint8_t> bytes) override;
  Result<RecordedLaunch> launch(const kernels::LaunchShape& shape,
                                const std::vector<KernelArgument>& arguments, JobControl& job,
                                const std::function<void(double fraction)>& done) override;

 private:
  GpuDevice& device() const { return gpu_.device(); }
  Result<GpuModule*> moduleOf(const KernelText& kernel);

  RecordingGpu& gpu_;
  std::optional<GpuDevice::Entered> entered_;  // from prepare() to the end
  std::uint64_t elements_ = 0;
  instrument::Instrumented instrumented_;
  GpuModule* module_ = nullptr;
};

Result<PreparedKernel> GpuRun::prepare(const model::Kernel&, const model::Experiment& experiment,
                                       JobControl& job) {
  auto entered = device().enter();
  if (!entered) return tl::unexpected(entered.error());
  entered_.emplace(std::move(*entered));
  elements_ = experiment.elements;
  if (job.progress) job.progress(0, "Compiling " + experiment.variant);
  KernelText kernel = kernelTextOf(experiment);
  const auto module = moduleOf(kernel);
  if (!module) return tl::unexpected(module.error());
  module_ = *module;
  return PreparedKernel{.text = std::move(kernel.text),
                        .preamble = std::move(kernel.preamble),
                        .sites = instrumented_.sites,
                        .model = instrumented_.model,
                        .done = 0.2f};
}

Result<GpuModule*> GpuRun::moduleOf(const KernelText& kernel) {
  auto& modules = gpu_.modules;
  auto compiled = gpu_.session.compiler->recorded(kernel, &instrumented_);
  if (!compiled) return tl::unexpected(compiled.error());
  const std::string key = kernel.preamble + kernel.text;
  std::erase_if(modules, [](const auto& entry) { return !entry.second->isAlive(); });
  if (const auto found = modules.find(key); found != modules.end()) return found->second.get();
  if (modules.size() >= kMaxLoadedModules) modules.clear();
  auto loaded = GpuModule::load(device(), *compiled, kernel.kernel);
  if (!loaded) return tl::unexpected(loaded.error());
  return modules.emplace(key, std::move(*loaded)).first->second.get();
}

Result<std::vector<std::uint64_t>> GpuRun::allocate(std::span<const std::uint64_t> bytes) {
  // Asked before the host builds an input that the GPU could not take.
  std::size_t free = 0, total = 0;
  STRIDESCOPE_TRY(device().check(device().api().cuMemGetInfo(&free, &total), "cuMemGetInfo",
                                 "ask how much GPU memory is free"));
  std::uint64_t left = total;
  for (const std::uint64_t each : bytes) {
    if (each > left)
      return unavailable(figure(elements_) + " elements are more than the " + bytesText(total) +
                         " of memory of " + device().facts().name + " hold. Take fewer elements.");
    left -= each;
  }
  auto& buffers = gpu_.buffers;
  while (buffers.size() < bytes.size()) buffers.push_back(std::make_unique<DeviceMemory>(device()));
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    STRIDESCOPE_TRY(buffers[i]->reserve(bytes[i]));
    addresses.push_back(buffers[i]->address());
  }
  return addresses;
}

// The bytes may be dropped when it returns: a copy from pageable memory has read them by then.
Result<void> GpuRun::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  constexpr const char* doing = "copy the input to the GPU";
  const DriverApi& api = device().api();
  const LibraryCall copying("cuMemcpyHtoDAsync", bytes.size() > kShortCopy ? kLongCall : kPlainCall);
  STRIDESCOPE_TRY(
      device().check(api.cuMemcpyHtoDAsync(address, bytes.data(), bytes.size(), device().stream()),
                     "cuMemcpyHtoDAsync", doing));
  return device().check(api.cuStreamSynchronize(device().stream()), "cuStreamSynchronize", doing);
}

Result<void> GpuRun::read(std::uint64_t address, std::span<std::uint8_t> bytes) {
  constexpr const char* doing = "copy the result back";
  const DriverApi& api = device().api();
  const LibraryCall copying("cuMemcpyDtoHAsync", bytes.size() > kShortCopy ? kLongCall : kPlainCall);
  STRIDESCOPE_TRY(
      device().check(api.cuMemcpyDtoHAsync(bytes.data(), address, bytes.size(), device().stream()),
                     "cuMemcpyDtoHAsync", doing));
  return device().check(api.cuStreamSynchronize(device().stream()), "cuStreamSynchronize", doing);
}

// A launch that runs cannot be told to stop, and says nothing until it has ended.
Result<RecordedLaunch> GpuRun::launch(const kernels::LaunchShape& shape,
                                      const std::vector<KernelArgument>& arguments, JobControl&,
                                      const std::function<void(double)>&) {
  return gpu_.recorder.record(
      *module_, instrumented_,
      {.grid = shape.grid, .block = shape.block, .sharedBytes = shape.sharedBytes, .cluster = shape.cluster},
      shape.inspected, arguments);
}

class GpuEngine final : public Engine {
 public:
  GpuEngine(GpuSession session, const RecordLimits& limits) : gpu_(std::move(session), limits) {}

  model::Executor executor() const override { return gpu_.executor(); }

  bool isUsable() const override {
    const std::scoped_lock lock(mutex_);
    return gpu_.device().isUsable();
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
      const auto compiled = gpu_.session.compiler->precompile(kernels, job);
      if (!compiled) return tl::unexpected(compiled.error());
      return {};
    });
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    return withoutExceptions("recording " + experiment.variant, [&] {
      const std::scoped_lock lock(mutex_);
      GpuRun run(gpu_);
      return recordRun(run, experiment, job);
    });
  }

 private:
  Result<void> openGpu() {
    const std::scoped_lock lock(mutex_);
    const auto entered = gpu_.device().enter();
    if (!entered) return tl::unexpected(entered.error());
    return gpu_.recorder.makeReady();
  }

  mutable std::mutex mutex_;
  RecordingGpu gpu_;
};

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
