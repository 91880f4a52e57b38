#include "host_engine.h"

#include <sys/mman.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "engine/record_run.h"
#include "launch_runner.h"
#include "model/arithmetic.h"

namespace stridescope::engine::host {
namespace {

std::string compilerName() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

model::Executor cpuExecutor() {
  return {.kind = model::EngineKind::Host,
          .device = "CPU executor",
          .computeCapability = {},
          .driver = {},
          .compiler = compilerName(),
          .recordedOn = {}};
}

const HostKernel* findKernel(std::span<const HostKernel> compiled, const model::Experiment& experiment) {
  for (const HostKernel& kernel : compiled)
    if (kernel.type == experiment.type && (kernel.threads == 0 || kernel.threads == experiment.threads))
      return &kernel;
  return nullptr;
}

std::optional<HostOperator> findOperator(const model::Experiment& experiment, const CompiledCombine& custom) {
  if (experiment.op == model::Operator::Custom) {
    if (custom.function == nullptr || custom.type != experiment.type) return std::nullopt;
    return HostOperator{experiment.type, experiment.op, experiment.custom.identityBits, custom.function};
  }
  for (const HostOperator& each : hostOperators())
    if (each.type == experiment.type && each.op == experiment.op) return each;
  return std::nullopt;
}

// A buffer as a kernel gets it: zeroed, aligned as cudaMalloc's, with so much unused address space on both
// sides that an index which misses it does not hit another buffer.
class HostBuffer {
 public:
  explicit HostBuffer(std::uint64_t bytes) : bytes_(bytes) {
    void* const memory = mmap(nullptr, bytes + 2 * kMargin, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) mapping_ = static_cast<std::uint8_t*>(memory);
  }
  ~HostBuffer() {
    if (mapping_ != nullptr) munmap(mapping_, bytes_ + 2 * kMargin);
  }
  HostBuffer(HostBuffer&& other) noexcept
      : mapping_(std::exchange(other.mapping_, nullptr)), bytes_(other.bytes_) {}
  HostBuffer& operator=(HostBuffer&&) = delete;

  bool allocated() const { return mapping_ != nullptr; }
  std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(mapping_ + kMargin); }

 private:
  static constexpr std::size_t kMargin = 1 << 20;
  std::uint8_t* mapping_ = nullptr;
  std::uint64_t bytes_ = 0;
};

std::uint8_t* hostPointer(std::uint64_t address) {
  return reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(address));
}

// What the text pass says of the text that was asked for last: most runs are of the same kernel as the run
// before, and the pass takes as long as a small block's run.
class TextPass {
 public:
  // Null: the pass refuses the text. Valid until the next call.
  const instrument::Instrumented* of(const std::string& text) {
    if (!passed_ || text_ != text) {
      text_ = text;
      passed_.emplace(instrument::instrument(text));
    }
    return *passed_ ? &**passed_ : nullptr;
  }

 private:
  std::string text_;
  std::optional<tl::expected<instrument::Instrumented, instrument::Refusal>> passed_;
};

class HostDevice final : public Device {
 public:
  HostDevice(recording::BlockRunner& runner, TextPass& pass, const RecordLimits& limits,
             const CompiledCombine& custom, const FindHostKernels& find)
      : runner_(runner), pass_(pass), limits_(limits), custom_(custom), find_(find) {}

  model::Executor executor() const override { return cpuExecutor(); }

  Result<PreparedKernel> prepare(const model::Kernel& kernel, const model::Experiment& experiment,
                                 JobControl& job) override;
  Result<std::vector<std::uint64_t>> allocate(std::span<const std::uint64_t> bytes) override;

  Result<void> write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    std::ranges::copy(bytes, hostPointer(address));
    return {};
  }
  Result<void> read(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    std::ranges::copy_n(hostPointer(address), std::ptrdiff_t(bytes.size()), bytes.begin());
    return {};
  }

  Result<RecordedLaunch> launch(const kernels::LaunchShape& shape,
                                const std::vector<KernelArgument>& arguments, JobControl& job,
                                const std::function<void(double fraction)>& done) override {
    return launchOnAll(shape, {arguments}, job, done);
  }
  Result<RecordedLaunch> launchOnAll(const kernels::LaunchShape& shape,
                                     const std::vector<std::vector<KernelArgument>>& arguments,
                                     JobControl& job,
                                     const std::function<void(double fraction)>& done) override {
    return runLaunch(runner_,
                     {*kernel_, *text_, shape, arguments, experiment_.schedule, experiment_.scheduleSeed,
                      experiment_.blockOrder, experiment_.blockOrderSeed},
                     limits_, job, done);
  }

 private:
  recording::BlockRunner& runner_;
  TextPass& pass_;
  const RecordLimits& limits_;
  const CompiledCombine& custom_;
  const FindHostKernels& find_;
  model::Experiment experiment_;
  const HostKernel* kernel_ = nullptr;
  const instrument::Instrumented* text_ = nullptr;
  std::vector<HostBuffer> buffers_;
};

Result<PreparedKernel> HostDevice::prepare(const model::Kernel& kernel, const model::Experiment& experiment,
                                           JobControl&) {
  const bool hasArrays = kernel.devices == model::DeviceUse::ArrayEach;
  if (std::string why = whyNotOnCpu(experiment.elements * (hasArrays ? experiment.gpus : 1)); !why.empty())
    return usageError(std::move(why));
  const auto operation = findOperator(experiment, custom_);
  text_ = pass_.of(kernel.text);
  kernel_ = findKernel(find_(kernel), experiment);
  if (!operation && experiment.op == model::Operator::Custom)
    return unavailable("The CPU executor was given no compiled combine. Build the program again.");
  if (kernel_ == nullptr || !operation || text_ == nullptr)
    return unavailable("The CPU executor was built without the variant '" + kernel.id +
                       "'. Build the program again.");
  experiment_ = experiment;
  kernel_->prepare(operation->identityBits, operation->combine);

  PreparedKernel prepared{.text = kernel.text,
                          .preamble = kernels::preambleOf(kernel.text, experiment),
                          .sites = text_->sites,
                          .model = text_->model};
  if (experiment.op == model::Operator::Custom) prepared.combine = onBits(custom_);
  return prepared;
}

Result<std::vector<std::uint64_t>> HostDevice::allocate(std::span<const std::uint64_t> bytes) {
  std::vector<std::uint64_t> addresses;
  for (const std::uint64_t each : bytes) {
    if (!buffers_.emplace_back(each).allocated())
      return limitMet("The buffers for " + figure(experiment_.elements) +
                      " elements could not be allocated: out of memory. Take fewer elements.");
    addresses.push_back(buffers_.back().address());
  }
  return addresses;
}

class HostEngine final : public Engine {
 public:
  HostEngine(const RecordLimits& limits, const CompiledCombine& custom, FindHostKernels find)
      : limits_(limits), custom_(custom), find_(std::move(find)) {}

  model::Executor executor() const override { return cpuExecutor(); }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    HostDevice device(runner_, pass_, limits_, custom_, find_);
    return recordRun(device, experiment, job);
  }

 private:
  RecordLimits limits_;
  CompiledCombine custom_;
  FindHostKernels find_;
  recording::BlockRunner runner_;  // keeps its stacks and its log from run to run
  TextPass pass_;
};

}  // namespace

BitsCombine onBits(const CompiledCombine& combine) {
  if (combine.function == nullptr) return {};
  return [combine](std::uint64_t a, std::uint64_t b) {
    return model::withType(combine.type, [&](auto zero) {
      using T = decltype(zero);
      const auto function = reinterpret_cast<T (*)(T, T)>(combine.function);
      return model::bitsOfElement(function(model::elementOfBits<T>(a), model::elementOfBits<T>(b)));
    });
  };
}

std::span<const HostKernel> compiledIn(const model::Kernel& kernel) {
  const auto same = std::ranges::find(kernels::catalog(), kernel.text, &kernels::Variant::text);
  if (same == kernels::catalog().end()) return {};
  return hostKernels(same->id);
}

std::unique_ptr<Engine> makeHostEngine(const RecordLimits& limits, const CompiledCombine& custom,
                                       FindHostKernels find) {
  return std::make_unique<HostEngine>(limits, custom, std::move(find));
}

}  // namespace stridescope::engine::host
