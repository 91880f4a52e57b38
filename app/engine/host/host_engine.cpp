#include "host_engine.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "device_buffer.h"
#include "engine/experiment_check.h"
#include "engine/reference.h"
#include "engine/utc_now.h"
#include "launch_runner.h"
#include "trace/value.h"

namespace stridescope {
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

const HostKernel* findKernel(const Experiment& experiment) {
  for (const HostKernel& kernel : hostKernels(experiment.variant))
    if (kernel.type == experiment.type && (kernel.threads == 0 || kernel.threads == experiment.threads))
      return &kernel;
  return nullptr;
}

const HostOperator* findOperator(const Experiment& experiment) {
  for (const HostOperator& each : hostOperators())
    if (each.type == experiment.type && each.op == experiment.op) return &each;
  return nullptr;
}

// A launch's input fills whole blocks; what lies beyond its elements is the identity.
void fillWithIdentity(const DeviceBuffer& buffer, std::uint64_t fromElement, unsigned elementBytes,
                      std::uint64_t identity) {
  for (std::uint64_t at = fromElement * elementBytes; at < buffer.bytes(); at += elementBytes)
    std::memcpy(buffer.data() + at, &identity, elementBytes);
}

class HostEngine final : public Engine {
 public:
  explicit HostEngine(const RecordLimits& limits) : limits_(limits) {}

  Executor executor() const override {
    return {.kind = EngineKind::Host,
            .device = "CPU executor",
            .computeCapability = {},
            .driver = {},
            .compiler = compilerName(),
            .recordedOn = {}};
  }

  Result<Trace> record(const Experiment& experiment, JobControl& job) override;

 private:
  RecordLimits limits_;
  recording::BlockRunner runner_;  // keeps its stacks and its log from run to run
};

Result<Trace> HostEngine::record(const Experiment& asked, JobControl& job) {
  const auto checked = checkedExperiment(asked, true);
  if (!checked) return tl::unexpected(checked.error());
  const Experiment& experiment = *checked;
  if (experiment.elements > kMaxElements)
    return usageError("The CPU executor takes at most 16777216 (2^24) elements; " +
                      std::to_string(experiment.elements) + " were asked for. Take fewer, or run on a GPU.");
  const Variant& variant = *findVariant(experiment.variant);
  const HostKernel* const kernel = findKernel(experiment);
  const HostOperator* const operation = findOperator(experiment);
  const auto text = instrument(kernelText(experiment.variant));
  if (kernel == nullptr || operation == nullptr || !text)
    return unavailable("The CPU executor was built without the variant '" + experiment.variant +
                       "'. Build the program again.");

  Trace trace;
  trace.experiment = experiment;
  trace.kernelText = std::string(kernelText(experiment.variant));
  trace.preamble = preambleOf(trace.kernelText, experiment.type, experiment.op, experiment.threads);
  trace.executor = executor();
  trace.executor.recordedOn = utcNow();
  trace.sites = text->sites;

  const unsigned width = bytesOf(experiment.type);
  const std::uint64_t perBlock = std::uint64_t(experiment.threads) * variant.elementsPerThread;
  const std::vector<LaunchShape> launches = planLaunches(variant, experiment);
  const auto totalBlocks = [&] {
    std::uint64_t sum = 0;
    for (const LaunchShape& launch : launches) sum += launch.grid;
    return double(sum);
  }();
  const auto outOfMemory = [&] {
    return unavailable("The buffers for " + std::to_string(experiment.elements) +
                       " elements could not be allocated: out of memory. Take fewer elements.");
  };

  DeviceBuffer in(launches.front().grid * perBlock * width);
  if (!in.allocated()) return outOfMemory();
  {
    const std::vector<std::uint8_t> input = makeInput(experiment, in.bytes() / width);
    std::ranges::copy(input, in.data());
  }
  kernel->prepare(operation->identityBits, operation->combine);
  double blocksBefore = 0;
  bool finished = true;
  for (std::size_t i = 0; i < launches.size() && finished; ++i) {
    const LaunchShape& shape = launches[i];
    // The next launch reads what this one writes, filled up to whole blocks.
    const std::uint64_t room = i + 1 < launches.size() ? launches[i + 1].grid * perBlock : shape.grid;
    DeviceBuffer out(room * width);
    if (!out.allocated()) return outOfMemory();
    fillWithIdentity(out, shape.grid, width, operation->identityBits);
    const std::string doing =
        "Launch " + std::to_string(i + 1) + " of " + std::to_string(launches.size()) + " on the CPU executor";
    auto result = runLaunch(
        runner_, {*kernel, *text, shape, in.first(in.bytes()), out.first(shape.grid * width), width}, limits_,
        job, [&](double fraction) {
          if (job.progress)
            job.progress(float((blocksBefore + fraction * double(shape.grid)) / totalBlocks), doing);
        });
    if (!result) return tl::unexpected(result.error());
    finished = result->finished;
    trace.launches.push_back(std::move(result->trace));
    blocksBefore += double(shape.grid);
    in = std::move(out);
  }

  std::uint64_t resultBits = 0;
  std::memcpy(&resultBits, in.data(), width);
  const Check check = checkResult(experiment, resultBits);
  trace.expected = check.expected;
  if (finished) {
    trace.result = printElement(experiment.type, resultBits);
    trace.ok = check.ok;
    trace.checkNote = check.note;
  } else {
    trace.checkNote = "The run did not end: " + trace.launches.back().problems.front().text;
  }
  return trace;
}

}  // namespace

std::unique_ptr<Engine> makeHostEngine(const RecordLimits& limits) {
  return std::make_unique<HostEngine>(limits);
}

}  // namespace stridescope
