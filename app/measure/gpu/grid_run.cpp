#include "measure/gpu/grid_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/numbers.h"
#include "clocking/clock_control.h"
#include "engine/experiment_check.h"
#include "engine/record_run.h"
#include "kernels/catalog.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/statistics.h"
#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::gpu {

namespace {

// The number of the buffer that holds the input.
std::size_t inputBuffer(const kernels::RunPlan& plan) {
  return std::size_t(
      std::ranges::find(plan.buffers, kernels::BufferStart::Input, &kernels::PlannedBuffer::start) -
      plan.buffers.begin());
}

}  // namespace

std::string GridRun::kernelHash() const { return model::hashOf(kernels::kernelText(experiment)); }

TimedPlan GridRun::emptyPlan() const {
  TimedPlan empty = reductionPlan();
  empty.before.insert(empty.before.end(), empty.steps.begin(), empty.steps.end());
  empty.steps.clear();
  return empty;
}

TimedPlan GridRun::reductionPlan() const {
  return {.name = experiment.variant,
          .before = memory.before,
          .steps = memory.resets,
          .inputPlace = inputs ? memory.addresses[inputBuffer(plan)] : 0,
          .resultAddress = memory.addresses[plan.result],
          .resultBytes = plan.buffers[plan.result].elementBytes};
}

void GridRun::empty(TimedPlan& timed, const std::optional<TimedLaunch>& emptying) const {
  if (emptying && !inputs) timed.before.emplace_back(*emptying);
}

void GridRun::addCpuPart(TimedPlan& timed) const {
  if (!isFinishedOnCpu()) return;
  timed.resultBytes = engine::resultElements(plan) * plan.buffers[plan.result].elementBytes;
  timed.resultIsTimed = true;
}

std::vector<TimedLaunch> GridRun::launchesOf(CleanKernel& launched) const {
  std::vector<TimedLaunch> launches;
  for (const kernels::LaunchShape& launch : plan.launches)
    launches.push_back(launchOn(plan, launch, launched, memory.addresses));
  return launches;
}

namespace {

// The partial results, combined from left to right as the host does at the end of such a reduction.
std::uint64_t combinedOnHost(model::ElementType type, model::Operator op,
                             std::span<const std::uint8_t> partials) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      T result = decltype(combine)::kIdentity;
      for (std::size_t at = 0; at + sizeof(T) <= partials.size(); at += sizeof(T)) {
        T value;
        std::memcpy(&value, partials.data() + at, sizeof value);
        result = combine(result, value);
      }
      return model::bitsOfElement(result);
    });
  });
}

}  // namespace

Timed withCpuPart(const kernels::RunPlan& plan, const model::Experiment& experiment,
                  const TimedOutcome& outcome) {
  using Clock = std::chrono::steady_clock;
  Timed timed{outcome.microseconds, 0};
  if (plan.outcome == kernels::Outcome::AddedOnTheCpu) {
    const auto begin = Clock::now();
    timed.resultBits = combinedOnHost(experiment.type, experiment.op, outcome.result);
    timed.microseconds += std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  } else {
    std::memcpy(&timed.resultBits, outcome.result.data(), outcome.result.size());
  }
  return timed;
}

Result<GridRun> planGrid(CleanRunner& runner, const model::Experiment& asked, const model::Executor& gpu,
                         const GridMeasured& measured) {
  auto experiment = engine::checkedExperiment(asked, true);
  if (!experiment) return tl::unexpected(experiment.error());
  const model::Kernel& measuredKernel = *kernels::kernelOf(*experiment);
  if (measuredKernel.isWrong())
    return usageError(experiment->variant + " has no " + measured.what +
                      ": it demonstrates a common bug, and no two runs of it are the same.");
  if (measuredKernel.merges() && !measured.merges)
    return usageError(experiment->variant + " has no " + measured.what + ": it merges lists in one block.");
  if (measuredKernel.takes(model::ParameterRole::Messages) && !measured.waits)
    return usageError(experiment->variant + " has no " + measured.what +
                      ": one block waits for the words of the others, which a launch that ends early would "
                      "not send.");
  if (std::string refusal = engine::refusalOf(gpu, *experiment); !refusal.empty())
    return usageError(std::move(refusal));
  GridRun run{.experiment = std::move(*experiment), .plan = {}, .kernel = nullptr, .memory = {}};
  run.plan = kernels::planRun(run.experiment);
  std::uint64_t blocks = 0;
  for (const kernels::LaunchShape& launch : run.plan.launches) blocks += launch.grid.count();
  if (blocks > measured.maxBlocks)
    return usageError(run.experiment.variant + " has no " + measured.what + " here: it takes " +
                      figure(blocks) + " blocks, and " + figure(measured.maxBlocks) +
                      " is the most. Take larger blocks or fewer elements.");
  auto kernel = runner.load(run.experiment, TimedForm::Clean);
  if (!kernel) return tl::unexpected(kernel.error());
  run.kernel = std::move(*kernel);
  auto memory = variantMemory(runner, run.plan, run.experiment);
  if (!memory) return tl::unexpected(memory.error());
  run.memory = std::move(*memory);
  const std::size_t input = inputBuffer(run.plan);
  if (!measured.cold || measuredKernel.takes(model::ParameterRole::InPlace) ||
      input == run.plan.buffers.size())
    return run;
  run.inputs = std::make_unique<InputPool>(runner);
  STRIDESCOPE_TRY(
      run.inputs->fillFrom(run.memory.addresses[input], engine::bytesOf(run.plan.buffers[input])));
  return run;
}

Result<model::CounterRecord> countRun(CleanRunner& runner, const model::Experiment& experiment,
                                      const model::Executor& gpu) {
  const auto run = planGrid(runner, experiment, gpu, {.what = "counters", .cold = false});
  if (!run) return tl::unexpected(run.error());
  TimedPlan counted = run->emptyPlan();
  for (TimedLaunch& launch : run->launchesOf(*run->kernel)) counted.steps.emplace_back(std::move(launch));
  auto values = runner.counted(std::move(counted));
  if (!values) return tl::unexpected(values.error());

  model::CounterRecord record{
      .experiment = run->experiment, .kernelHash = run->kernelHash(), .executor = gpu};
  for (std::size_t i = 0; i < run->plan.launches.size(); ++i)
    record.launches.push_back({.grid = run->plan.launches[i].grid.count(),
                               .block = run->plan.launches[i].block.count(),
                               .values = std::move((*values)[i])});
  return record;
}

Result<model::CostRecord> costRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const model::GpuLimits& limits,
                                  const std::optional<TimedLaunch>& emptying, engine::JobControl& job) {
  auto run = planGrid(runner, experiment, gpu, {.what = "cost", .merges = false});
  if (!run) return tl::unexpected(run.error());
  const auto empty = loadEmptyKernel(runner);
  if (!empty) return tl::unexpected(empty.error());

  TimedPlan whole = run->reductionPlan();
  run->addCpuPart(whole);
  TimedPlan launching = run->emptyPlan();
  launching.name = "the empty kernels of " + launching.name;
  run->empty(whole, emptying);
  for (const TimedLaunch& launch : emptyLaunches(run->plan, **empty)) launching.steps.emplace_back(launch);
  for (TimedLaunch& launch : run->launchesOf(*run->kernel)) whole.steps.emplace_back(std::move(launch));
  const auto wholeRun = runner.timed(std::move(whole));
  if (!wholeRun) return tl::unexpected(wholeRun.error());
  const auto emptyRun = runner.timed(std::move(launching));
  if (!emptyRun) return tl::unexpected(emptyRun.error());

  std::vector<float> times, emptyTimes;
  for (unsigned i = 0; i < kCostedWarmUps + kCostedRuns; ++i) {
    if (job.cancel) return cancelled();
    const auto reduced = (*wholeRun)->run(run->nextInput());
    if (!reduced) return tl::unexpected(reduced.error());
    const auto launched = (*emptyRun)->run(0);
    if (!launched) return tl::unexpected(launched.error());
    if (i < kCostedWarmUps) continue;
    times.push_back(float(withCpuPart(run->plan, run->experiment, *reduced).microseconds));
    emptyTimes.push_back(float(launched->microseconds));
  }
  const Summary summary = summarize(times);
  model::CostRecord record{.experiment = run->experiment,
                           .kernelHash = run->kernelHash(),
                           .executor = gpu,
                           .limits = limits,
                           .runs = kCostedRuns,
                           .microseconds = summary.median,
                           .lowerQuartile = summary.lowerQuartile,
                           .upperQuartile = summary.upperQuartile,
                           .emptyMicroseconds = summarize(emptyTimes).median};
  for (const kernels::LaunchShape& shape : run->plan.launches) {
    const auto fit = run->kernel->fit(shape.block.count(), shape.sharedBytes);
    if (!fit) return tl::unexpected(fit.error());
    record.launches.push_back({.grid = shape.grid.count(),
                               .block = shape.block.count(),
                               .registers = fit->registers,
                               .residentBlocks = fit->residentBlocks});
  }
  return record;
}

namespace {

// Reads the global timer, after as many nanoseconds: what is enqueued behind it meanwhile follows at once.
constexpr const char* kTimerText = R"(
__global__ void read_timer(unsigned long long* at, unsigned long long nanoseconds) {
  unsigned long long begin = 0, now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
  *at = now;
}
)";
constexpr std::uint64_t kEnqueuingNanoseconds = 50'000;

// What a run leaves: the timer before and after the moment among the events, then the marks.
struct Anchors {
  std::uint64_t before = 0, after = 0;
};
constexpr std::uint64_t kMarksAt = sizeof(Anchors);

struct Run {
  double microseconds = 0, sinceMoment = 0;
  std::vector<std::uint8_t> bytes{};
};

// What the timer's readings of a run mean: nanoseconds since its first event. That lies as long after the
// moment as the events say, and the moment between two readings of the timer.
class MarkedMoments {
 public:
  explicit MarkedMoments(const Run& run) {
    std::memcpy(&anchors_, run.bytes.data(), sizeof anchors_);
    begin_ = anchors_.before + width() / 2 + std::uint64_t(std::llround(run.sinceMoment * 1e3));
  }
  std::uint64_t within() const { return (width() + 1) / 2; }
  // A start before the first event is a very large number. Requires runs of less than two seconds.
  model::BlockRun runOf(const clocking::BlockMark& mark) const {
    const auto since = std::int32_t(mark.start - std::uint32_t(begin_));
    return {std::uint64_t(std::int64_t(since)), mark.end - mark.start, mark.multiprocessor};
  }

 private:
  std::uint64_t width() const { return anchors_.after - anchors_.before; }
  Anchors anchors_;
  std::uint64_t begin_ = 0;
};

class MarkedGrid {
 public:
  MarkedGrid(CleanRunner& runner, GridRun run) : runner_(runner), run_(std::move(run)) {}

  Result<void> prepare(const std::optional<TimedLaunch>& emptying) {
    auto marking = runner_.load(run_.experiment, TimedForm::Marked);
    if (!marking) return tl::unexpected(marking.error());
    markingKernel_ = std::move(*marking);
    auto timer = runner_.load("read_timer", "", kTimerText);
    if (!timer) return tl::unexpected(timer.error());
    timer_ = std::move(*timer);
    auto marks = runner_.allocate(marksBytes());
    if (!marks) return tl::unexpected(marks.error());
    marks_ = std::move(*marks);

    TimedPlan clean = run_.emptyPlan();
    run_.empty(clean, emptying);
    TimedPlan marked = clean;
    for (TimedLaunch& launch : run_.launchesOf(*run_.kernel)) clean.steps.emplace_back(std::move(launch));
    std::uint64_t place = marks_->address() + kMarksAt;
    for (TimedLaunch& launch : run_.launchesOf(*markingKernel_)) {
      launch.arguments.push_back(place);
      place += launch.grid.count() * sizeof(clocking::BlockMark);
      marked.steps.emplace_back(std::move(launch));
    }
    marked.before.emplace_back(readingTimer(0, kEnqueuingNanoseconds));
    marked.before.emplace_back(TimedMoment{});
    marked.before.emplace_back(readingTimer(sizeof(std::uint64_t), 0));
    marked.resultAddress = marks_->address();
    marked.resultBytes = marksBytes();
    for (auto [plan, timed] : {std::pair(&clean, &cleanRun_), {&marked, &markedRun_}}) {
      auto made = runner_.timed(std::move(*plan));
      if (!made) return tl::unexpected(made.error());
      *timed = std::move(*made);
    }
    return {};
  }

  Result<void> runBoth(bool kept) {
    const auto clean = cleanRun_->run(run_.nextInput());
    if (!clean) return tl::unexpected(clean.error());
    const auto marked = markedRun_->run(run_.nextInput());
    if (!marked) return tl::unexpected(marked.error());
    if (!kept) return {};
    cleanTimes_.push_back(float(clean->microseconds));
    markedTimes_.push_back(float(marked->microseconds));
    runs_.push_back({.microseconds = marked->microseconds,
                     .sinceMoment = marked->sinceMoment,
                     .bytes = {marked->result.begin(), marked->result.end()}});
    return {};
  }

  Result<model::TimelineRecord> record(const model::Executor& gpu) {
    const auto facts = runner_.memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    const auto middle = runs_.begin() + std::ptrdiff_t(runs_.size() / 2);
    std::ranges::nth_element(runs_, middle, {}, &Run::microseconds);
    model::TimelineRecord record{.experiment = run_.experiment,
                                 .kernelHash = run_.kernelHash(),
                                 .executor = gpu,
                                 .multiprocessors = facts->multiprocessors,
                                 .runs = unsigned(runs_.size()),
                                 .cleanMicroseconds = summarize(cleanTimes_).median,
                                 .markedMicroseconds = summarize(markedTimes_).median,
                                 .nanoseconds = std::uint64_t(std::llround(middle->microseconds * 1e3))};
    const MarkedMoments moments(*middle);
    record.placedWithin = moments.within();
    std::size_t at = kMarksAt;
    for (const kernels::LaunchShape& shape : run_.plan.launches) {
      const auto fit = run_.kernel->fit(shape.block.count(), shape.sharedBytes);
      if (!fit) return tl::unexpected(fit.error());
      model::LaunchTimeline& launch = record.launches.emplace_back();
      launch.block = shape.block.count();
      launch.residentBlocks = fit->residentBlocks;
      for (std::uint64_t block = 0; block < shape.grid.count(); ++block, at += sizeof(clocking::BlockMark)) {
        clocking::BlockMark mark;
        std::memcpy(&mark, middle->bytes.data() + at, sizeof mark);
        launch.blocks.push_back(moments.runOf(mark));
      }
    }
    beginNoLaterThanBlocks(record);
    return record;
  }

 private:
  std::uint64_t marksBytes() const {
    return std::accumulate(run_.plan.launches.begin(), run_.plan.launches.end(), kMarksAt,
                           [](std::uint64_t bytes, const kernels::LaunchShape& launch) {
                             return bytes + launch.grid.count() * sizeof(clocking::BlockMark);
                           });
  }

  TimedLaunch readingTimer(std::uint64_t offset, std::uint64_t nanoseconds) const {
    return {.kernel = timer_.get(),
            .grid = 1,
            .block = 1,
            .arguments = {marks_->address() + offset, nanoseconds}};
  }

  // No block starts before the first event: where the placing says so, it is off by that.
  static void beginNoLaterThanBlocks(model::TimelineRecord& record) {
    std::int64_t early = 0;
    for (const model::LaunchTimeline& launch : record.launches)
      for (const model::BlockRun& block : launch.blocks) early = std::min(early, std::int64_t(block.start));
    for (model::LaunchTimeline& launch : record.launches)
      for (model::BlockRun& block : launch.blocks) block.start -= std::uint64_t(early);
  }

  CleanRunner& runner_;
  GridRun run_;
  std::unique_ptr<GpuBuffer> marks_;
  std::unique_ptr<CleanKernel> markingKernel_, timer_;
  std::unique_ptr<TimedRun> cleanRun_, markedRun_;  // after what they use, so that they end before it
  std::vector<float> cleanTimes_, markedTimes_;
  std::vector<Run> runs_;
};

}  // namespace

Result<model::TimelineRecord> markGrid(CleanRunner& runner, const model::Experiment& experiment,
                                       const model::Executor& gpu, const std::optional<TimedLaunch>& emptying,
                                       engine::JobControl& job) {
  auto run = planGrid(runner, experiment, gpu,
                      {.what = "timeline", .merges = false, .maxBlocks = model::kMaxTimelineBlocks});
  if (!run) return tl::unexpected(run.error());
  MarkedGrid grid(runner, std::move(*run));
  STRIDESCOPE_TRY(grid.prepare(emptying));
  for (unsigned i = 0; i < kMarkedWarmUps + kMarkedRuns; ++i) {
    if (job.cancel) return cancelled();
    STRIDESCOPE_TRY(grid.runBoth(i >= kMarkedWarmUps));
  }
  return grid.record(gpu);
}

template <>
Result<model::CounterRecord> measureGrid(const GridTask& task) {
  return countRun(task.runner, task.experiment, task.gpu);
}

template <>
Result<model::TimelineRecord> measureGrid(const GridTask& task) {
  const auto emptying = task.emptying();
  if (!emptying) return tl::unexpected(emptying.error());
  return markGrid(task.runner, task.experiment, task.gpu, *emptying, task.job);
}

template <>
Result<model::CostRecord> measureGrid(const GridTask& task) {
  const auto emptying = task.emptying();
  if (!emptying) return tl::unexpected(emptying.error());
  return costRun(task.runner, task.experiment, task.gpu, task.limits, *emptying, task.job);
}

}  // namespace stridescope::measure::gpu
