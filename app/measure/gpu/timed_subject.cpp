// CUB or Thrust: the same inputs, the same events, the same checks.

#include "measure/gpu/timed_subject.h"

#include <algorithm>
#include <cstring>

#include "base/numbers.h"
#include "engine/experiment_check.h"
#include "engine/library_call.h"
#include "engine/record_run.h"
#include "engine/reference.h"
#include "kernels/catalog.h"
#include "kernels/run_plan.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/grid_run.h"
#include "measure/statistics.h"
#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::gpu {

Result<std::unique_ptr<GpuBuffer>> filledBuffer(CleanRunner& runner, const kernels::PlannedBuffer& planned,
                                                const model::Experiment& experiment) {
  auto buffer = runner.allocate(engine::bytesOf(planned));
  if (!buffer) return buffer;
  const auto filled = engine::fillBuffer(
      planned, (*buffer)->address(), experiment,
      [&](std::uint64_t to, std::span<const std::uint8_t> bytes) { return runner.upload(to, bytes); });
  if (!filled) return tl::unexpected(filled.error());
  return buffer;
}

Result<VariantMemory> variantMemory(CleanRunner& runner, const kernels::RunPlan& plan,
                                    const model::Experiment& experiment) {
  VariantMemory memory;
  const bool inPlace = kernels::kernelOf(experiment)->takes(model::ParameterRole::InPlace);
  for (const kernels::PlannedBuffer& planned : plan.buffers) {
    auto buffer = filledBuffer(runner, planned, experiment);
    if (!buffer) return tl::unexpected(buffer.error());
    memory.addresses.push_back((*buffer)->address());
    memory.buffers.push_back(std::move(*buffer));
    const bool changes = planned.start == kernels::BufferStart::Identity ||
                         planned.start == kernels::BufferStart::Zero ||
                         (planned.start == kernels::BufferStart::Input && inPlace);
    if (!changes) continue;
    auto fresh = filledBuffer(runner, planned, experiment);
    if (!fresh) return tl::unexpected(fresh.error());
    auto& steps = planned.start == kernels::BufferStart::Identity ? memory.resets : memory.before;
    steps.emplace_back(TimedCopy{memory.addresses.back(), (*fresh)->address(), engine::bytesOf(planned)});
    memory.buffers.push_back(std::move(*fresh));
  }
  return memory;
}

std::vector<TimedLaunch> emptyLaunches(const kernels::RunPlan& plan, CleanKernel& empty) {
  std::vector<TimedLaunch> launches;
  for (const kernels::LaunchShape& launch : plan.launches)
    launches.push_back(
        {.kernel = &empty, .grid = launch.grid, .block = launch.block, .sharedBytes = launch.sharedBytes});
  return launches;
}

TimedLaunch launchOn(const kernels::RunPlan& plan, const kernels::LaunchShape& launch, CleanKernel& kernel,
                     std::span<const std::uint64_t> addresses) {
  TimedLaunch timed{.kernel = &kernel,
                    .grid = launch.grid,
                    .block = launch.block,
                    .sharedBytes = launch.sharedBytes,
                    .cluster = launch.cluster,
                    .arguments = {}};
  for (const engine::KernelArgument& argument : engine::argumentsOf(plan, launch, addresses))
    timed.arguments.push_back(argument.value);
  return timed;
}

namespace {

constexpr std::uint64_t kAlignment = 512;          // every copy's, as if it were an allocation of its own
constexpr std::uint64_t kL2sToFill = 8;            // between two uses of one copy
constexpr double kShareOfFree = 0.85;              // the rest is for partial results, and for others
constexpr std::uint64_t kDefaultL2 = 64ull << 20;  // where the driver does not tell

std::string gibibytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10) >> 30;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

}  // namespace

Result<void> InputPool::fill(const model::TimingCase& timingCase, std::uint64_t room) {
  const std::uint64_t width = model::bytesOf(timingCase.type);
  const auto most = budget();
  if (!most) return tl::unexpected(most.error());
  if (room > *most / width)
    return usageError(
        sizeText(timingCase.elements) + " elements of " + std::string(model::nameOf(timingCase.type)) +
        " do not fit into the GPU's free memory (" + gibibytes(*most) + "): it is timed up to fewer.");
  STRIDESCOPE_TRY(reserveCopies(room * width, *most, timingCase.warmL2));
  STRIDESCOPE_TRY(fillFirst(timingCase, room));
  STRIDESCOPE_TRY(repeat(first(), stride_, copies_ * stride_));
  return runner_.wait();
}

Result<void> InputPool::fillFrom(std::uint64_t from, std::uint64_t bytes) {
  const auto most = budget();
  if (!most) return tl::unexpected(most.error());
  STRIDESCOPE_TRY(reserveCopies(bytes, *most, false));
  STRIDESCOPE_TRY(runner_.copy({.to = first(), .from = from, .bytes = bytes}));
  STRIDESCOPE_TRY(repeat(first(), stride_, copies_ * stride_));
  return runner_.wait();
}

Result<std::uint64_t> InputPool::budget() const {
  const auto facts = runner_.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  return std::uint64_t(kShareOfFree * double(facts->freeBytes + (buffer_ ? buffer_->bytes() : 0)));
}

Result<void> InputPool::reserveCopies(std::uint64_t bytes, std::uint64_t budget, bool once) {
  const auto facts = runner_.memoryFacts();
  if (!facts) return tl::unexpected(facts.error());
  stride_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::uint64_t l2 = facts->l2Bytes > 0 ? facts->l2Bytes : kDefaultL2;
  const std::uint64_t wanted = once ? 1 : std::max<std::uint64_t>(2, kL2sToFill * l2 / stride_ + 1);
  copies_ = std::clamp<std::uint64_t>(budget / stride_, 1, wanted);
  turn_ = 0;
  return reserve(copies_ * stride_);
}

Result<void> InputPool::reserve(std::uint64_t bytes) {
  if (buffer_ && buffer_->bytes() >= bytes && buffer_->bytes() <= 2 * bytes) return {};
  buffer_.reset();
  auto made = runner_.allocate(bytes);
  if (!made) return tl::unexpected(made.error());
  buffer_ = std::move(*made);
  return {};
}

// What stands at `at` for `have` bytes, again and again up to `want` bytes: twice as much with every copy.
Result<void> InputPool::repeat(std::uint64_t at, std::uint64_t have, std::uint64_t want) {
  while (have > 0 && have < want) {
    const std::uint64_t more = std::min(have, want - have);
    if (auto copied = runner_.copy({.to = at + have, .from = at, .bytes = more}); !copied) return copied;
    have += more;
  }
  return {};
}

Result<void> InputPool::fillFirst(const model::TimingCase& timingCase, std::uint64_t room) {
  const std::uint64_t width = model::bytesOf(timingCase.type);
  const auto period = timingData(timingCase.type, timingCase.op, std::min(timingCase.elements, kDataPeriod));
  if (!period.empty())
    if (auto sent = runner_.upload(first(), period); !sent) return sent;
  if (auto repeated = repeat(first(), period.size(), timingCase.elements * width); !repeated) return repeated;
  std::vector<std::uint8_t> padding((room - timingCase.elements) * width);
  const std::uint64_t identity = model::identityBits(timingCase.type, timingCase.op);
  for (std::size_t at = 0; at < padding.size(); at += width)
    std::memcpy(padding.data() + at, &identity, width);
  if (padding.empty()) return {};
  return runner_.upload(first() + timingCase.elements * width, padding);
}

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
  if (std::string refusal = engine::refusalOfTiming(gpu, *experiment); !refusal.empty())
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
