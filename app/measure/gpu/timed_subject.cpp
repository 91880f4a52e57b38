// CUB or Thrust: the same inputs, the same events, the same checks.
#include "measure/gpu/timed_subject.h"

#include <cstring>

#include "engine/experiment_check.h"
#include "engine/library_call.h"
#include "engine/record_run.h"
#include "kernels/run_plan.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/grid_run.h"
#include "measure/gpu/variant_buffers.h"
#include "measure/statistics.h"
#include "measure/timing_data.h"

namespace stridescope::measure::gpu {

std::string_view embeddedFloor(std::string_view fileName);  // generated from reads_all.cu

namespace {

constexpr std::uint8_t kPoison = 0xa5;
constexpr const char* kLibraries = "CUB or Thrust";  // whose kernels the driver compiles at their first run

class TimedBaseline final : public TimedSubject {
 public:
  explicit TimedBaseline(std::unique_ptr<baselines::GpuBaseline> baseline) : baseline_(std::move(baseline)) {}

  Result<void> prepare(CleanRunner& runner, const model::TimingSubject& subject,
                       const model::TimingCase& timingCase, const CaseMemory& memory) {
    auto output = runner.allocate(model::bytesOf(timingCase.type));
    if (!output) return tl::unexpected(output.error());
    output_ = std::move(*output);
    const std::uint64_t to = output_->address();
    auto run = runner.timed(
        {.name = subject.id,
         .before = {TimedFill{to, model::bytesOf(timingCase.type), kPoison}},
         .steps = {TimedWork{[baseline = baseline_.get(), to](std::uint64_t input, void* stream) {
           const engine::LibraryCall running(kLibraries, engine::kLongCall);
           return baseline->enqueue(input, to, stream);
         }}},
         .inputPlace = memory.inputPlace,
         .resultAddress = to,
         .resultBytes = model::bytesOf(timingCase.type),
         .graph = timingCase.graph});
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    return {};
  }

  Result<Timed> run(std::uint64_t input) override {
    const auto outcome = run_->run(input);
    if (!outcome) return tl::unexpected(outcome.error());
    Timed timed{outcome->microseconds, 0};
    std::memcpy(&timed.resultBits, outcome->result.data(), outcome->result.size());
    if (baseline_->givesToHost()) timed.resultBits = baseline_->hostResult();
    return timed;
  }

  unsigned threads() const override { return 0; }

 private:
  std::unique_ptr<baselines::GpuBaseline> baseline_;
  std::unique_ptr<GpuBuffer> output_;
  std::unique_ptr<TimedRun> run_;
};

}  // namespace

Result<std::unique_ptr<TimedSubject>> makeTimedBaseline(CleanRunner& runner,
                                                        const model::TimingSubject& subject,
                                                        const model::TimingCase& timingCase,
                                                        const CaseMemory& memory) {
  const engine::LibraryCall making(kLibraries, engine::kLongCall);
  auto baseline =
      baselines::makeGpuBaseline(subject.id, timingCase.type, timingCase.op, timingCase.elements, memory.gpu);
  if (!baseline) return tl::unexpected(baseline.error());
  if (timingCase.graph && (*baseline)->givesToHost())
    return usageError(subject.id + " waits for its result, and so cannot be made into a CUDA graph.");
  auto timed = std::make_unique<TimedBaseline>(std::move(*baseline));
  if (auto prepared = timed->prepare(runner, subject, timingCase, memory); !prepared)
    return tl::unexpected(prepared.error());
  return timed;
}

// A variant of the catalogue, launched as its run plan says.

namespace {

// What a result is overwritten with before every run, so that an old one is never taken for a new one.

constexpr unsigned kEmptyRuns = 11, kEmptyWarmUps = 2;

Result<model::Experiment> experimentOf(const model::TimingSubject& variant,
                                       const model::TimingCase& timingCase) {
  model::Experiment experiment;
  experiment.variant = variant.id;
  experiment.type = timingCase.type;
  experiment.op = timingCase.op;
  experiment.threads = timingCase.threads;
  experiment.elements = timingCase.elements;
  return engine::checkedExperiment(experiment, true);
}

// Whether what the CPU does at the end of a reduction is part of its time.
enum class CpuPart : std::uint8_t { Timed, Untimed };

class TimedVariant final : public TimedSubject {
 public:
  TimedVariant(CleanRunner& runner, model::Experiment experiment, const CaseMemory& memory, bool graph,
               CpuPart cpuPart)
      : runner_(runner),
        experiment_(std::move(experiment)),
        memory_(memory),
        graph_(graph),
        cpuPart_(cpuPart),
        plan_(kernels::planRun(experiment_)) {}

  Result<void> prepare() {
    auto kernel = runner_.load(experiment_, TimedForm::Clean);
    if (!kernel) return tl::unexpected(kernel.error());
    kernel_ = std::move(*kernel);
    TimedPlan timed{.name = experiment_.variant, .inputPlace = memory_.inputPlace, .graph = graph_};
    if (auto placed = placeBuffers(timed); !placed) return placed;
    for (const kernels::LaunchShape& launch : plan_.launches)
      timed.steps.emplace_back(launchOn(plan_, launch, *kernel_, addresses_));
    const kernels::PlannedBuffer& result = plan_.buffers[plan_.result];
    timed.resultAddress = addresses_[plan_.result];
    timed.resultBytes = engine::resultElements(plan_) * result.elementBytes;
    timed.resultIsTimed = plan_.outcome == kernels::Outcome::AddedOnTheCpu && cpuPart_ == CpuPart::Timed;
    if (result.start == kernels::BufferStart::Unwritten)
      timed.before.emplace_back(TimedFill{timed.resultAddress, timed.resultBytes, kPoison});
    auto run = runner_.timed(std::move(timed));
    if (!run) return tl::unexpected(run.error());
    run_ = std::move(*run);
    return {};
  }

  Result<Timed> run(std::uint64_t input) override {
    const auto outcome = run_->run(input);
    if (!outcome) return tl::unexpected(outcome.error());
    Timed timed = withCpuPart(plan_, experiment_, *outcome);
    if (cpuPart_ == CpuPart::Untimed) timed.microseconds = outcome->microseconds;
    return timed;
  }

  unsigned threads() const override { return experiment_.threads; }

  Result<double> emptyTime() override {
    const auto empty = loadEmptyKernel(runner_);
    if (!empty) return tl::unexpected(empty.error());
    TimedPlan launching{.name = "the empty kernels of " + experiment_.variant, .graph = graph_};
    for (const TimedLaunch& launch : emptyLaunches(plan_, **empty)) launching.steps.emplace_back(launch);
    launching.resultAddress = addresses_[plan_.result];
    launching.resultBytes = plan_.buffers[plan_.result].elementBytes;
    const auto run = runner_.timed(std::move(launching));
    if (!run) return tl::unexpected(run.error());
    std::vector<float> times;
    for (unsigned i = 0; i < kEmptyWarmUps + kEmptyRuns; ++i) {
      const auto outcome = (*run)->run(0);
      if (!outcome) return tl::unexpected(outcome.error());
      if (i >= kEmptyWarmUps) times.push_back(float(outcome->microseconds));
    }
    return summarize(times).median;
  }

 private:
  // Addresses of all buffers. The input is the pool's, except where the kernel works in place: then a copy is
  // made before every run, and L2 emptied of it.
  Result<void> placeBuffers(TimedPlan& timed) {
    for (const kernels::PlannedBuffer& planned : plan_.buffers) {
      if (planned.start == kernels::BufferStart::Input && !worksInPlace()) {
        addresses_.push_back(memory_.inputPlace);
        continue;
      }
      if (planned.start == kernels::BufferStart::Input) {
        const std::uint64_t bytes = engine::bytesOf(planned);
        auto buffer = runner_.allocate(bytes);
        if (!buffer) return tl::unexpected(buffer.error());
        addresses_.push_back((*buffer)->address());
        buffers_.push_back(std::move(*buffer));
        timed.before.emplace_back(TimedCopy{addresses_.back(), memory_.inputPlace, bytes});
        if (memory_.emptyingBytes > 0)
          timed.before.emplace_back(memory_.passes->reading(memory_.emptying, memory_.emptyingBytes,
                                                            memory_.emptying, memory_.emptyingBlocks));
        continue;
      }
      auto buffer = filledBuffer(runner_, planned, experiment_);
      if (!buffer) return tl::unexpected(buffer.error());
      addresses_.push_back((*buffer)->address());
      buffers_.push_back(std::move(*buffer));
      if (planned.start != kernels::BufferStart::Identity) continue;
      // Every block adds to it: setting it back is part of each reduction.
      auto fresh = filledBuffer(runner_, planned, experiment_);
      if (!fresh) return tl::unexpected(fresh.error());
      timed.steps.emplace_back(
          TimedCopy{addresses_.back(), (*fresh)->address(), model::bytesOf(experiment_.type)});
      buffers_.push_back(std::move(*fresh));
    }
    return {};
  }

  bool worksInPlace() const { return kernels::kernelOf(experiment_)->takes(model::ParameterRole::InPlace); }

  CleanRunner& runner_;
  const model::Experiment experiment_;
  const CaseMemory memory_;
  const bool graph_;
  const CpuPart cpuPart_;
  const kernels::RunPlan plan_;
  std::vector<std::uint64_t> addresses_;  // the plan's buffers'
  std::vector<std::unique_ptr<GpuBuffer>> buffers_;
  std::unique_ptr<CleanKernel> kernel_;
  std::unique_ptr<TimedRun> run_;  // last: it ends before what it uses
};

Result<std::unique_ptr<TimedSubject>> prepared(CleanRunner& runner, model::Experiment experiment,
                                               const CaseMemory& memory, bool graph, CpuPart cpuPart) {
  auto timed = std::make_unique<TimedVariant>(runner, std::move(experiment), memory, graph, cpuPart);
  if (auto done = timed->prepare(); !done) return tl::unexpected(done.error());
  return timed;
}

}  // namespace

Result<std::uint64_t> roomOf(const model::TimingSubject& subject, const model::TimingCase& timingCase,
                             const model::Executor& gpu) {
  const auto experiment = experimentOf(subject, timingCase);
  if (!experiment) return tl::unexpected(experiment.error());
  const model::Kernel& kernel = *kernels::kernelOf(*experiment);
  if (kernel.isWrong())
    return usageError(subject.id +
                      " is not timed: it demonstrates a common bug, and its result may be wrong.");
  if (std::string refusal = engine::refusalOf(gpu, *experiment); !refusal.empty())
    return usageError(std::move(refusal));
  const kernels::RunPlan plan = kernels::planRun(kernel, *experiment);
  if (plan.outcome == kernels::Outcome::Merged)
    return usageError(subject.id + " is not timed beside the others: it merges lists.");
  for (const kernels::PlannedBuffer& buffer : plan.buffers)
    if (buffer.start == kernels::BufferStart::Input) return buffer.room;
  return usageError(subject.id + " is not timed: it reads no input.");
}

Result<std::unique_ptr<TimedSubject>> makeTimedVariant(CleanRunner& runner,
                                                       const model::TimingSubject& variant,
                                                       const model::TimingCase& timingCase,
                                                       const CaseMemory& memory) {
  auto experiment = experimentOf(variant, timingCase);
  if (!experiment) return tl::unexpected(experiment.error());
  return prepared(runner, *std::move(experiment), memory, timingCase.graph, CpuPart::Timed);
}

Result<std::unique_ptr<TimedSubject>> makeTimedFloor(CleanRunner& runner, const model::TimingCase& timingCase,
                                                     const CaseMemory& memory) {
  auto experiment = experimentOf({.kind = model::SubjectKind::Variant, .id = "single_pass"}, timingCase);
  if (!experiment) return tl::unexpected(experiment.error());
  model::Kernel floor = *kernels::kernelOf(*experiment);
  floor.id = floor.function = "reads_all";
  floor.text = embeddedFloor("reads_all.cu");
  floor.parameters = {kernels::kInput, kernels::kOutput, kernels::kCount};
  floor.finishedOnCpu = true;
  experiment->variant = floor.id;
  experiment->kernel = Shared(std::move(floor));
  return prepared(runner, *std::move(experiment), memory, timingCase.graph, CpuPart::Untimed);
}

}  // namespace stridescope::measure::gpu
