#include "measure/gpu/clean_kernel.h"

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/gpu/gpu_device.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"
#include "measure/gpu/device_timed_run.h"

namespace stridescope::measure::gpu {
namespace {

// Whether a GPU's clock is held down and whether others use the GPU, told by NVML, which is opened at run
// time. Without NVML there is nothing to tell.

class ClockWatch {
 public:
  // The GPU on that bus: "0000:1b:00.0".
  explicit ClockWatch(const std::string& busId);
  ~ClockWatch();
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;

  // Sentences about this moment.
  std::vector<std::string> disturbances() const;

 private:
  std::shared_ptr<engine::gpu::SharedLibrary> library_;
  void* device_ = nullptr;  // nvmlDevice_t
};

// NVML's types and numbers (nvml.h); its header is not in every toolkit.
using Device = void*;
using Plain = int (*)();
using FindDevice = int (*)(const char* busId, Device* device);
using ReadMask = int (*)(Device device, unsigned long long* mask);
using ReadClock = int (*)(Device device, int type, unsigned* megahertz);
using CountProcesses = int (*)(Device device, unsigned* count, void* processes);
constexpr int kSuccess = 0, kInsufficientSize = 7;
constexpr int kMultiprocessorClock = 1;

struct Reason {
  unsigned long long bit;  // nvmlClocksThrottleReason*
  const char* text;
};
constexpr std::array<Reason, 5> kReasons{{{0x4, "by its power limit"},
                                          {0x8, "by the hardware (heat or power)"},
                                          {0x20, "because it is hot"},
                                          {0x40, "by the hardware, because it is hot"},
                                          {0x80, "by the power supply"}}};

// This program's own: one records, one takes times.
constexpr unsigned kOwnProcesses = 2;

ClockWatch::ClockWatch(const std::string& busId) {
  const engine::LibraryCall call("NVML");
  auto library = engine::gpu::SharedLibrary::open({"libnvidia-ml.so.1"});
  if (!library || busId.empty()) return;
  const auto start = (*library)->function<Plain>("nvmlInit_v2");
  const auto find = (*library)->function<FindDevice>("nvmlDeviceGetHandleByPciBusId_v2");
  if (start == nullptr || find == nullptr || start() != kSuccess) return;
  library_ = *library;
  if (find(busId.c_str(), &device_) != kSuccess) device_ = nullptr;
}

ClockWatch::~ClockWatch() {
  if (!library_) return;
  const engine::LibraryCall call("NVML");
  if (const auto end = library_->function<Plain>("nvmlShutdown")) end();
}

std::vector<std::string> ClockWatch::disturbances() const {
  std::vector<std::string> sentences;
  if (device_ == nullptr) return sentences;
  const engine::LibraryCall call("NVML");
  const auto readReasons = library_->function<ReadMask>("nvmlDeviceGetCurrentClocksThrottleReasons");
  const auto readMost = library_->function<ReadClock>("nvmlDeviceGetMaxClockInfo");
  unsigned long long reasons = 0;
  unsigned most = 0;
  if (readReasons != nullptr && readReasons(device_, &reasons) == kSuccess)
    for (const Reason& reason : kReasons) {
      if ((reasons & reason.bit) == 0) continue;
      std::string sentence = std::string("The GPU's clock is held down ") + reason.text;
      if (readMost != nullptr && readMost(device_, kMultiprocessorClock, &most) == kSuccess)
        sentence += " (its highest is " + std::to_string(most) + " MHz)";
      sentences.push_back(sentence + ": times may spread.");
    }
  const auto count = library_->function<CountProcesses>("nvmlDeviceGetComputeRunningProcesses_v3");
  unsigned processes = 0;
  if (count != nullptr) {
    const int code = count(device_, &processes, nullptr);
    if ((code == kSuccess || code == kInsufficientSize) && processes > kOwnProcesses)
      sentences.emplace_back("Other programs compute on this GPU: times may spread.");
  }
  return sentences;
}

constexpr std::chrono::seconds kLongestWait{60};
constexpr std::size_t kShortCopy = std::size_t{256} << 20;  // bytes: it takes a fraction of a second

unsigned copyPatience(std::size_t bytes) {
  return bytes > kShortCopy ? engine::kLongCall : engine::kPlainCall;
}

class LoadedBuffer final : public GpuBuffer {
 public:
  LoadedBuffer(engine::gpu::GpuDevice& device, std::uint64_t bytes) : memory(device), bytes_(bytes) {}
  std::uint64_t address() const override { return memory.address(); }
  std::uint64_t bytes() const override { return bytes_; }

  engine::gpu::DeviceMemory memory;

 private:
  std::uint64_t bytes_;
};

class LoadedKernel final : public CleanKernel {
 public:
  LoadedKernel(engine::gpu::GpuDevice& device, std::unique_ptr<engine::gpu::GpuModule> module)
      : device_(device), module_(std::move(module)) {}

  engine::gpu::GpuModule& module() { return *module_; }

  Result<void> launch(const CleanLaunch& launch) override {
    return withoutExceptions("launching a kernel", [&]() -> Result<void> {
      const auto entered = device_.enter();
      if (!entered) return tl::unexpected(entered.error());
      if (!module_->isAlive())
        return unavailable(module_->name() + " was lost with the GPU's context. Load it again.");
      return module_->launch({launch.grid, launch.block, launch.sharedBytes, launch.cluster},
                             launch.arguments);
    });
  }

  Result<std::uint64_t> variable(const char* name, std::size_t bytes) override {
    return withoutExceptions("looking for a variable", [&]() -> Result<std::uint64_t> {
      const auto entered = device_.enter();
      if (!entered) return tl::unexpected(entered.error());
      const auto address = module_->variable(name, bytes);
      if (!address) return tl::unexpected(address.error());
      return std::uint64_t(*address);
    });
  }

  Result<KernelFit> fit(std::uint64_t threads, std::uint64_t sharedBytes) override {
    return withoutExceptions("asking how a kernel fits", [&]() -> Result<KernelFit> {
      const auto entered = device_.enter();
      if (!entered) return tl::unexpected(entered.error());
      const auto timing = engine::gpu::loadTimingApi(device_.api());
      if (!timing) return tl::unexpected(timing.error());
      STRIDESCOPE_TRY(module_->allow({1, threads, sharedBytes}));
      const std::string doing = "ask how " + module_->name() + " fits on a multiprocessor";
      int registers = 0, blocks = 0;
      STRIDESCOPE_TRY(device_.check(
          device_.api().cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, module_->function()),
          "cuFuncGetAttribute", doing));
      STRIDESCOPE_TRY(device_.check(
          timing->residentBlocks(&blocks, module_->function(), int(threads), std::size_t(sharedBytes)),
          "cuOccupancyMaxActiveBlocksPerMultiprocessor", doing));
      return KernelFit{unsigned(registers), unsigned(blocks)};
    });
  }

 private:
  engine::gpu::GpuDevice& device_;
  std::unique_ptr<engine::gpu::GpuModule> module_;
};

class GpuCleanRunner final : public CleanRunner {
 public:
  GpuCleanRunner(unsigned index, engine::gpu::GpuSession session)
      : index_(index), session_(std::move(session)) {}

  Result<std::unique_ptr<CleanKernel>> load(const model::Experiment& experiment, TimedForm form) override {
    return withoutExceptions("loading a kernel",
                             [&] { return loadText(engine::gpu::kernelTextOf(experiment), form); });
  }
  Result<std::unique_ptr<CleanKernel>> load(const std::string& name, const std::string& preamble,
                                            const std::string& text) override {
    return withoutExceptions("loading a kernel", [&] {
      return loadText({name + ".cu", preamble, text, name}, TimedForm::Clean);
    });
  }

  Result<std::unique_ptr<GpuBuffer>> allocate(std::uint64_t bytes) override {
    return within([&]() -> Result<std::unique_ptr<GpuBuffer>> {
      auto buffer = std::make_unique<LoadedBuffer>(device(), bytes);
      STRIDESCOPE_TRY(buffer->memory.reserve(bytes));
      return buffer;
    });
  }

  Result<void> upload(const GpuBuffer& to, std::span<const std::uint8_t> bytes) override {
    if (bytes.size() > to.bytes()) return usageError("More bytes were given than the GPU buffer holds.");
    return upload(to.address(), bytes);
  }

  Result<void> upload(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    return within([&]() -> Result<void> {
      {
        const engine::LibraryCall copying("cuMemcpyHtoDAsync", copyPatience(bytes.size()));
        STRIDESCOPE_TRY(device().check(
            device().api().cuMemcpyHtoDAsync(address, bytes.data(), bytes.size(), device().stream()),
            "cuMemcpyHtoDAsync", "copy data to the GPU"));
      }
      return device().finish("copy data to the GPU", kLongestWait);
    });
  }

  Result<void> download(const GpuBuffer& from, std::span<std::uint8_t> bytes) override {
    return within([&]() -> Result<void> {
      if (bytes.size() > from.bytes())
        return usageError("More bytes were asked for than the GPU buffer holds.");
      // Kernels are waited for here, and not within the call that copies.
      STRIDESCOPE_TRY(device().finish("run the kernel", kLongestWait));
      {
        const engine::LibraryCall copying("cuMemcpyDtoHAsync", copyPatience(bytes.size()));
        STRIDESCOPE_TRY(device().check(
            device().api().cuMemcpyDtoHAsync(bytes.data(), from.address(), bytes.size(), device().stream()),
            "cuMemcpyDtoHAsync", "copy data from the GPU"));
      }
      return device().finish("copy data from the GPU", kLongestWait);
    });
  }

  Result<void> wait() override { return wait(kLongestWait); }
  Result<void> wait(std::chrono::milliseconds limit) override {
    return within([&] { return device().finish("run the kernel", limit); });
  }
  Result<bool> isDone() override {
    return within([&]() -> Result<bool> {
      const CUresult code = device().api().cuStreamQuery(device().stream());
      if (code == CUDA_ERROR_NOT_READY) return false;
      STRIDESCOPE_TRY(device().check(code, "cuStreamQuery", "run the kernel"));
      return true;
    });
  }

  Result<void> reach(CleanRunner& other) override {
    engine::gpu::GpuDevice& there = static_cast<GpuCleanRunner&>(other).device();
    if (const auto opened = there.enter(); !opened) return tl::unexpected(opened.error());
    return within([&] { return device().reach(there); });
  }
  Result<void> setMark() override {
    return within([&]() -> Result<void> {
      STRIDESCOPE_TRY(findTimingApi());
      if (!mark_ || !device().isAlive(mark_->generation)) {
        mark_ = Mark{nullptr, device().generation()};
        STRIDESCOPE_TRY(device().check(timing_->createEvent(&mark_->event, CU_EVENT_DISABLE_TIMING),
                                       "cuEventCreate", "let GPUs wait for each other"));
      }
      return device().check(timing_->recordEvent(mark_->event, device().stream()), "cuEventRecord",
                            "let GPUs wait for each other");
    });
  }
  Result<void> waitForMark(CleanRunner& other) override {
    const std::optional<Mark>& there = static_cast<GpuCleanRunner&>(other).mark_;
    if (!there) return unavailable("No mark was set on the GPU that is waited for.");
    return within([&]() -> Result<void> {
      if (!peers_) {
        auto found = engine::gpu::loadPeerApi(device().api());
        if (!found) return tl::unexpected(found.error());
        peers_ = *found;
      }
      return device().check(peers_->waitForEvent(device().stream(), there->event, 0), "cuStreamWaitEvent",
                            "let GPUs wait for each other");
    });
  }

  Result<std::unique_ptr<TimedRun>> timed(TimedPlan plan) override {
    return within([&]() -> Result<std::unique_ptr<TimedRun>> { return prepared(std::move(plan)); });
  }

  Result<CounterLists> counted(TimedPlan plan) override {
    return within([&]() -> Result<CounterLists> {
      std::size_t launches = 0;
      for (const TimedStep& step : plan.steps) launches += std::holds_alternative<TimedLaunch>(step);
      auto run = prepared(std::move(plan));
      if (!run) return tl::unexpected(run.error());
      if (!counters_) {
        auto opened = openCuptiCounters(index_, device().facts().device);
        if (!opened) return tl::unexpected(opened.error());
        counters_ = std::move(*opened);
      }
      STRIDESCOPE_TRY((*run)->prepareInput(0));
      // CUPTI runs each kernel again and again within the call that launches it.
      const engine::LibraryCall counting("CUPTI", engine::kLongCall);
      return counters_->count(launches, [&] { return (*run)->runSteps(0); });
    });
  }

  Result<void> copy(const TimedCopy& copy) override {
    return within([&]() -> Result<void> {
      STRIDESCOPE_TRY(findTimingApi());
      return device().check(timing_->copyWithin(copy.to, copy.from, copy.bytes, device().stream()),
                            "cuMemcpyDtoDAsync", "copy data within the GPU");
    });
  }

  Result<GpuMemoryFacts> memoryFacts() override {
    return within([&] { return factsOfMemory(device()); });
  }

  std::vector<std::string> disturbances() override {
    if (!clockWatch_) {
      const auto facts = memoryFacts();
      if (!facts) return {};
      clockWatch_.emplace(facts->busId);
    }
    return clockWatch_->disturbances();
  }

  bool isUsable() const override { return session_.device->isUsable(); }

  void* stream() const override { return session_.device->stream(); }

 private:
  engine::gpu::GpuDevice& device() { return *session_.device; }

  Result<void> findTimingApi() {
    if (timing_) return {};
    auto found = engine::gpu::loadTimingApi(device().api());
    if (!found) return tl::unexpected(found.error());
    timing_ = *found;
    return {};
  }

  template <class Function>
  auto within(Function function) -> decltype(function()) {
    return withoutExceptions("working on the GPU", [&]() -> decltype(function()) {
      const auto entered = device().enter();
      if (!entered) return tl::unexpected(entered.error());
      return function();
    });
  }

  Result<std::unique_ptr<CleanKernel>> loadText(const engine::gpu::KernelText& text, TimedForm form) {
    return within([&] { return loaded(session_.load(text, form)); });
  }

  Result<std::unique_ptr<CleanKernel>> loaded(Result<std::unique_ptr<engine::gpu::GpuModule>> module) {
    if (!module) return tl::unexpected(module.error());
    return std::make_unique<LoadedKernel>(device(), std::move(*module));
  }

  Result<std::unique_ptr<DeviceTimedRun>> prepared(TimedPlan plan) {
    STRIDESCOPE_TRY(findTimingApi());
    std::vector<engine::gpu::GpuModule*> modules;
    for (const auto* steps : {&plan.before, &plan.steps})
      for (const TimedStep& step : *steps)
        if (const auto* launch = std::get_if<TimedLaunch>(&step))
          modules.push_back(&static_cast<LoadedKernel*>(launch->kernel)->module());
    return DeviceTimedRun::make(device(), *timing_, std::move(plan), modules);
  }

  // An event, which goes with its context.
  struct Mark {
    CUevent event = nullptr;
    unsigned generation = 0;
  };

  const unsigned index_;  // the driver's number
  engine::gpu::GpuSession session_;
  std::optional<Mark> mark_;
  std::optional<engine::gpu::PeerApi> peers_;
  std::unique_ptr<HardwareCounters> counters_;  // the GPU's, whatever its context; null: not asked for yet
  std::optional<TimingApi> timing_;
  std::optional<ClockWatch> clockWatch_;
};

}  // namespace

Result<std::unique_ptr<CleanRunner>> makeCleanRunner(unsigned index, const engine::gpu::GpuPlaces& places) {
  return withoutExceptions("opening the GPU", [&]() -> Result<std::unique_ptr<CleanRunner>> {
    auto session = engine::gpu::GpuSession::open(index, places, engine::gpu::ContextKind::Primary);
    if (!session) return tl::unexpected(session.error());
    return std::make_unique<GpuCleanRunner>(index, std::move(*session));
  });
}

}  // namespace stridescope::measure::gpu
