#include "host_engine.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utc_now.h"
#include "device_buffer.h"
#include "engine/experiment_check.h"
#include "engine/run_data.h"
#include "launch_runner.h"
#include "model/arithmetic.h"

namespace stridescope::engine::host {
namespace {

constexpr std::uint64_t kMaxElements = 1ull << 24;

std::string compilerName() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#endif
}

const HostKernel* findKernel(const model::Experiment& experiment) {
  for (const HostKernel& kernel : hostKernels(experiment.variant))
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

class HostEngine final : public Engine {
 public:
  HostEngine(const RecordLimits& limits, const CompiledCombine& custom) : limits_(limits), custom_(custom) {}

  model::Executor executor() const override {
    return {.kind = model::EngineKind::Host, .device = "CPU executor", .compiler = compilerName()};
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override;

 private:
  struct Memory {
    std::vector<DeviceBuffer> owners;
    std::vector<HostBuffer> buffers;
  };
  static Result<Memory> reserve(const kernels::RunPlan& plan, const model::Experiment& experiment);
  Result<bool> runLaunches(const kernels::RunPlan& plan, const HostKernel& kernel,
                           const instrument::Instrumented& text, const Memory& memory, JobControl& job,
                           model::Trace& trace);

  RecordLimits limits_;
  CompiledCombine custom_;
  recording::BlockRunner runner_;  // keeps its stacks and its log from run to run
};

// The plan's buffers, each as it is before the first launch.
Result<HostEngine::Memory> HostEngine::reserve(const kernels::RunPlan& plan,
                                               const model::Experiment& experiment) {
  Memory memory;
  for (const kernels::PlannedBuffer& planned : plan.buffers) {
    DeviceBuffer& owner = memory.owners.emplace_back(planned.room * planned.elementBytes);
    if (!owner.allocated())
      return unavailable("The buffers for " + std::to_string(experiment.elements) +
                         " elements could not be allocated: out of memory. Take fewer elements.");
    const InitialBytes initial = initialBytes(planned, experiment);
    std::ranges::copy(initial.bytes, owner.data() + initial.from);
    memory.buffers.push_back({owner.first(owner.bytes()), planned.elementBytes, planned.type});
  }
  return memory;
}

// False if a launch could not go on: the trace says why.
Result<bool> HostEngine::runLaunches(const kernels::RunPlan& plan, const HostKernel& kernel,
                                     const instrument::Instrumented& text, const Memory& memory,
                                     JobControl& job, model::Trace& trace) {
  double totalBlocks = 0, blocksBefore = 0;
  for (const kernels::LaunchShape& launch : plan.launches) totalBlocks += double(launch.grid);
  for (const kernels::LaunchShape& shape : plan.launches) {
    const std::string doing = "Launch " + std::to_string(trace.launches.size() + 1) + " of " +
                              std::to_string(plan.launches.size()) + " on the CPU executor";
    auto result = runLaunch(
        runner_,
        {kernel, text, shape, memory.buffers, trace.experiment.schedule, trace.experiment.scheduleSeed,
         trace.experiment.type},
        limits_, job, [&](double fraction) {
          if (job.progress)
            job.progress(float((blocksBefore + fraction * double(shape.grid)) / totalBlocks), doing);
        });
    if (!result) return tl::unexpected(result.error());
    trace.launches.push_back(std::move(result->trace));
    if (!result->finished) return false;
    blocksBefore += double(shape.grid);
  }
  return true;
}

Result<model::Trace> HostEngine::record(const model::Experiment& asked, JobControl& job) {
  const auto checked = checkedExperiment(asked, true);
  if (!checked) return tl::unexpected(checked.error());
  const model::Experiment& experiment = *checked;
  if (experiment.elements > kMaxElements)
    return usageError("The CPU executor takes at most 16777216 (2^24) elements; " +
                      std::to_string(experiment.elements) + " were asked for. Take fewer, or run on a GPU.");
  const kernels::Variant& variant = *kernels::findVariant(experiment.variant);
  const HostKernel* const kernel = findKernel(experiment);
  const auto operation = findOperator(experiment, custom_);
  const auto text = instrument::instrument(kernels::kernelText(experiment.variant));
  if (!operation && experiment.op == model::Operator::Custom)
    return unavailable("The CPU executor was given no compiled combine. Build the program again.");
  if (kernel == nullptr || !operation || !text)
    return unavailable("The CPU executor was built without the variant '" + experiment.variant +
                       "'. Build the program again.");

  model::Trace trace;
  trace.experiment = experiment;
  trace.kernelText = std::string(kernels::kernelText(experiment.variant));
  trace.preamble = kernels::preambleOf(trace.kernelText, experiment);
  trace.executor = executor();
  trace.executor.recordedOn = utcNow();
  trace.sites = text->sites;

  const kernels::RunPlan plan = kernels::planRun(variant, experiment);
  auto memory = reserve(plan, experiment);
  if (!memory) return tl::unexpected(memory.error());
  kernel->prepare(operation->identityBits, operation->combine);
  const auto finished = runLaunches(plan, *kernel, *text, *memory, job, trace);
  if (!finished) return tl::unexpected(finished.error());

  const std::uint64_t elements = resultElements(plan);
  const auto bytesOfResult = [&](unsigned buffer) -> std::span<const std::uint8_t> {
    return memory->buffers[buffer].bytes.first(elements * memory->buffers[buffer].elementBytes);
  };
  const RunResult outcome =
      checkRun(plan, experiment, bytesOfResult(plan.result),
               plan.origin ? bytesOfResult(*plan.origin) : std::span<const std::uint8_t>{},
               experiment.op == model::Operator::Custom ? onBits(custom_) : BitsCombine());
  trace.expected = outcome.expected;
  if (*finished) {
    trace.result = outcome.result;
    trace.ok = outcome.ok;
    trace.checkNote = outcome.note;
  } else {
    const auto& problems = trace.launches.back().problems;
    trace.checkNote = "The run did not end" + (problems.empty() ? "." : ": " + problems.front().text);
  }
  return trace;
}

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

std::unique_ptr<Engine> makeHostEngine(const RecordLimits& limits, const CompiledCombine& custom) {
  return std::make_unique<HostEngine>(limits, custom);
}

}  // namespace stridescope::engine::host
