#include "measure/gpu/gpu_timing_device.h"

#include <algorithm>
#include <cstring>

#include "engine/experiment_check.h"
#include "engine/record_run.h"
#include "kernels/catalog.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/grid_run.h"
#include "measure/gpu/timed_subject.h"
#include "measure/statistics.h"
#include "measure/timing_board.h"
#include "model/quantities.h"
#include "model/quantity.h"
#include "model/trace.h"

namespace stridescope::measure::gpu {
namespace {

constexpr unsigned kEmptyingBlocksPerMultiprocessor = 2;

class GpuTimingDevice final : public TimingDevice {
 public:
  GpuTimingDevice(unsigned index, std::unique_ptr<CleanRunner> runner, TimingDeviceFacts facts,
                  MemoryPasses passes)
      : index_(index),
        runner_(std::move(runner)),
        facts_(std::move(facts)),
        passes_(std::move(passes)),
        inputs_(*runner_) {
    measuresAll(model::MeasuredQuantities());
  }

  const TimingDeviceFacts& facts() const override { return facts_; }
  bool isUsable() const override { return runner_->isUsable(); }
  Result<std::vector<std::string>> disturbances(engine::JobControl&) override {
    return runner_->disturbances();
  }

  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl& job) override {
    return clockBlock(*runner_, experiment, company, facts_.executor, job);
  }

  Result<std::vector<PreparedSubject>> prepare(const model::TimingCase& timingCase,
                                               std::span<const model::TimingSubject> subjects,
                                               engine::JobControl& job) override {
    ready_.clear();
    std::vector<PreparedSubject> prepared(subjects.size());
    std::uint64_t room = std::max<std::uint64_t>(1, timingCase.elements);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (subjects[i].kind != model::SubjectKind::Variant) continue;
      const auto needed = roomOf(subjects[i], timingCase, facts_.executor);
      if (needed)
        room = std::max(room, *needed);
      else
        prepared[i].unavailable = needed.error().sentence;
    }
    if (auto filled = inputs_.fill(timingCase, room); !filled) return tl::unexpected(filled.error());
    const auto memory = makeMemory(timingCase, room);
    if (!memory) return tl::unexpected(memory.error());
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      if (job.cancel) return cancelled();
      if (job.progress) job.progress(float(i) / float(subjects.size()), "Preparing " + subjects[i].id);
      ready_.emplace_back();
      if (prepared[i].unavailable.empty()) prepareSubject(subjects[i], timingCase, *memory, prepared[i]);
      if (!isUsable()) return unavailable(prepared[i].unavailable);
    }
    return prepared;
  }

  Result<Timed> sample(std::size_t subject, engine::JobControl& job) override {
    if (job.cancel) return cancelled();
    return ready_[subject]->run(inputs_.next());
  }

 private:
  template <class... Records>
  void measuresAll(model::RecordList<Records...>) {
    (measuresGrid<Records>(), ...);
  }
  template <class Record>
  void measuresGrid() {
    measures<Record>([this](const model::Experiment& experiment, engine::JobControl& job) {
      return measureGrid<Record>({.runner = *runner_,
                                  .experiment = experiment,
                                  .gpu = facts_.executor,
                                  .limits = facts_.limits.value_or(model::GpuLimits()),
                                  .emptying = [this] { return emptyingLaunch(); },
                                  .job = job});
    });
  }

  Result<CaseMemory> makeMemory(const model::TimingCase& timingCase, std::uint64_t room) {
    const auto facts = runner_->memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    CaseMemory memory{.inputPlace = inputs_.first(),
                      .room = room,
                      .passes = &passes_,
                      .emptying = 0,
                      .emptyingBytes = 0,
                      .emptyingBlocks = kEmptyingBlocksPerMultiprocessor * facts->multiprocessors,
                      .gpu = index_};
    if (timingCase.warmL2 || facts->l2Bytes == 0) return memory;
    STRIDESCOPE_TRY(allocateEmptying(*facts));
    memory.emptying = emptying_->address();
    memory.emptyingBytes = emptying_->bytes();
    return memory;
  }

  Result<void> allocateEmptying(const GpuMemoryFacts& facts) {
    if (emptying_) return {};
    auto buffer = runner_->allocate(kL2sToEmpty * facts.l2Bytes / kPassUnit * kPassUnit);
    if (!buffer) return tl::unexpected(buffer.error());
    emptying_ = std::move(*buffer);
    return {};
  }

  // Reads so much that nothing else is left in L2; nullopt: its size is not known.
  Result<std::optional<TimedLaunch>> emptyingLaunch() {
    const auto facts = runner_->memoryFacts();
    if (!facts) return tl::unexpected(facts.error());
    if (facts->l2Bytes == 0) return std::optional<TimedLaunch>();
    STRIDESCOPE_TRY(allocateEmptying(*facts));
    return passes_.reading(emptying_->address(), emptying_->bytes(), emptying_->address(),
                           kEmptyingBlocksPerMultiprocessor * facts->multiprocessors);
  }

  void prepareSubject(const model::TimingSubject& subject, const model::TimingCase& timingCase,
                      const CaseMemory& memory, PreparedSubject& prepared) {
    auto made = subject.kind == model::SubjectKind::Variant
                    ? makeTimedVariant(*runner_, subject, timingCase, memory)
                : subject == kFloor ? makeTimedFloor(*runner_, timingCase, memory)
                                    : makeTimedBaseline(*runner_, subject, timingCase, memory);
    // Once, so that nothing is compiled, loaded or allocated in the first sample.
    if (made)
      if (const auto ran = (*made)->run(inputs_.next()); !ran) made = tl::unexpected(ran.error());
    if (!made) {
      prepared.unavailable = made.error().sentence;
      return;
    }
    prepared.threads = (*made)->threads();
    prepared.emptyMicroseconds = (*made)->emptyTime().value_or(0);
    ready_.back() = std::move(*made);
  }

  const unsigned index_;
  std::unique_ptr<CleanRunner> runner_;
  TimingDeviceFacts facts_;
  MemoryPasses passes_;
  InputPool inputs_;
  std::unique_ptr<GpuBuffer> emptying_;
  std::vector<std::unique_ptr<TimedSubject>> ready_;
};

}  // namespace

Result<model::Executor> timingExecutor(CleanRunner& runner) {
  const auto memory = runner.memoryFacts();
  if (!memory) return tl::unexpected(memory.error());
  const engine::GpuStatus status = engine::gpu::queryGpus();
  return model::Executor{.kind = model::EngineKind::Gpu,
                         .device = memory->name,
                         .computeCapability = memory->computeCapability,
                         .driver = status.driverVersion,
                         .compiler = "NVRTC " + status.nvrtcVersion,
                         .recordedOn = model::utcNow()};
}

Result<std::unique_ptr<TimingDevice>> makeGpuTimingDevice(unsigned index) {
  auto runner = makeCleanRunner(index);
  if (!runner) return tl::unexpected(runner.error());
  auto passes = MemoryPasses::load(**runner);
  if (!passes) return tl::unexpected(passes.error());
  engine::JobControl nobodyCancels;
  auto ceiling = measureCeiling(**runner, *passes, nobodyCancels);
  if (!ceiling) return tl::unexpected(ceiling.error());
  auto limits = measureLimits(**runner, ceiling->read.median, nobodyCancels);
  if (!limits) return tl::unexpected(limits.error());
  auto executor = timingExecutor(**runner);
  if (!executor) return tl::unexpected(executor.error());
  TimingDeviceFacts facts;
  facts.kind = TimingDeviceKind::Gpu;
  facts.executor = *std::move(executor);
  if (const std::string baselines = baselines::gpuBaselineVersion(); !baselines.empty())
    facts.executor.compiler += ", " + baselines;
  facts.ceiling = *ceiling;
  facts.limits = *limits;
  return std::make_unique<GpuTimingDevice>(index, std::move(*runner), std::move(facts), std::move(*passes));
}

namespace {

constexpr const char* kControl = "clocking_control";  // clocking/clock.h

// What is launched, and which of its blocks is clocked.
struct ClockedLaunch {
  model::Experiment experiment;
  kernels::RunPlan plan;
  const kernels::LaunchShape& launch() const { return plan.launches.front(); }
  unsigned warps() const { return unsigned(model::warpsOf(launch().block.count())); }
};

Result<ClockedLaunch> planned(model::Experiment experiment, model::ClockedGrid company,
                              const model::Executor& gpu) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  if (kernel == nullptr) return usageError("There is no variant '" + experiment.variant + "'.");
  if (kernel->isWrong())
    return usageError(
        experiment.variant +
        " has no cycles: it demonstrates a common bug, and its rounds are not the same in each run.");
  if (kernel->merges())
    return usageError(experiment.variant +
                      " has no cycles: a merge has rounds for each of its elements, more than are clocked.");
  experiment.launch = 0;
  experiment.block = 0;
  experiment.given = {};
  if (experiment.data == model::DataPattern::Given) experiment.data = kernels::defaultData(experiment);
  experiment.elements = company == model::ClockedGrid::Full
                            ? model::kFullGridElements
                            : std::uint64_t(experiment.threads) * kernel->launch.elementsPerThread;
  auto checked = engine::checkedExperiment(std::move(experiment), true);
  if (!checked) return tl::unexpected(checked.error());
  if (std::string refusal = engine::refusalOf(gpu, *checked); !refusal.empty())
    return usageError(std::move(refusal));
  ClockedLaunch clocked{*checked, kernels::planRun(*kernel, *checked)};
  const bool single = clocked.launch().grid.count() == 1;
  if (single != (company == model::ClockedGrid::Alone))
    return usageError(experiment.variant +
                      (single ? " has one block however many elements there are, so that it "
                                "cannot be clocked in a full grid."
                              : " takes several blocks, so that none can be clocked alone."));
  clocked.experiment.block = clocked.launch().grid.count() / 2;
  clocked.plan = kernels::planRun(*kernel, clocked.experiment);
  return clocked;
}

class BlockClock {
 public:
  BlockClock(CleanRunner& runner, ClockedLaunch clocked) : runner_(runner), clocked_(std::move(clocked)) {}

  Result<void> prepare() {
    auto clean = runner_.load(clocked_.experiment, TimedForm::Clean);
    if (!clean) return tl::unexpected(clean.error());
    auto marking = runner_.load(clocked_.experiment, TimedForm::Clocked);
    if (!marking) return tl::unexpected(marking.error());
    cleanKernel_ = std::move(*clean);
    markingKernel_ = std::move(*marking);
    auto memory = variantMemory(runner_, clocked_.plan, clocked_.experiment);
    if (!memory) return tl::unexpected(memory.error());
    memory_ = std::move(*memory);
    auto marks = runner_.allocate(marksBytes());
    if (!marks) return tl::unexpected(marks.error());
    marks_ = std::move(*marks);
    STRIDESCOPE_TRY(uploadControl());
    for (auto [kernel, run] :
         {std::pair(cleanKernel_.get(), &cleanRun_), {markingKernel_.get(), &markingRun_}}) {
      auto made = runner_.timed(planOf(*kernel));
      if (!made) return tl::unexpected(made.error());
      *run = std::move(*made);
    }
    return {};
  }

  Result<void> runBoth(bool kept) {
    const auto clean = cleanRun_->run(0);
    if (!clean) return tl::unexpected(clean.error());
    const auto marked = markingRun_->run(0);
    if (!marked) return tl::unexpected(marked.error());
    if (!kept) return {};
    auto warps = marksOf(marked->result);
    if (!warps) return tl::unexpected(warps.error());
    cleanTimes_.push_back(float(clean->microseconds));
    markedTimes_.push_back(float(marked->microseconds));
    runs_.push_back(std::move(*warps));
    return {};
  }

  model::ClockRecord record(model::ClockedGrid company, const model::Executor& gpu) {
    const model::Experiment& experiment = clocked_.experiment;
    model::ClockRecord record{.variant = experiment.variant,
                              .type = experiment.type,
                              .op = experiment.op,
                              .custom = experiment.custom,
                              .threads = experiment.threads,
                              .kernelHash = model::hashOf(kernels::kernelText(experiment)),
                              .company = company,
                              .elements = clocked_.launch().elements,
                              .grid = clocked_.launch().grid.count(),
                              .block = clocked_.launch().inspected,
                              .executor = gpu,
                              .cleanMicroseconds = summarize(cleanTimes_).median,
                              .clockedMicroseconds = summarize(markedTimes_).median};
    for (const Warps& run : runs_) record.firstWarp.push_back(fromItsFirst({run.front()}).front());
    const auto middle = runs_.begin() + std::ptrdiff_t(runs_.size() / 2);
    std::ranges::nth_element(runs_, middle, {}, cyclesOf);
    record.warps = fromItsFirst(std::move(*middle));
    return record;
  }

 private:
  using Warps = std::vector<model::WarpMarks>;

  std::uint64_t marksBytes() const {
    return std::uint64_t(clocked_.warps()) * kMarksOfAWarp * sizeof(model::Mark);
  }

  Result<void> uploadControl() {
    const auto address = markingKernel_->variable(kControl, sizeof(clocking::Control));
    if (!address) return tl::unexpected(address.error());
    const clocking::Control control{
        .marks = reinterpret_cast<model::Mark*>(std::uintptr_t(marks_->address())),
        .inspectedBlock = clocked_.launch().inspected,
        .limit = kMarksOfAWarp};
    std::vector<std::uint8_t> bytes(sizeof control);
    std::memcpy(bytes.data(), &control, sizeof control);
    return runner_.upload(*address, bytes);
  }

  TimedPlan planOf(CleanKernel& kernel) const {
    TimedPlan plan{.name = clocked_.experiment.variant, .before = memory_.before};
    plan.before.emplace_back(TimedFill{marks_->address(), marksBytes(), 0});
    plan.steps.emplace_back(launchOn(clocked_.plan, clocked_.launch(), kernel, memory_.addresses));
    plan.resultAddress = marks_->address();
    plan.resultBytes = marksBytes();
    return plan;
  }

  Result<Warps> marksOf(std::span<const std::uint8_t> bytes) const {
    Warps warps(clocked_.warps());
    for (std::size_t w = 0; w < warps.size(); ++w) {
      warps[w].resize(kMarksOfAWarp);
      std::memcpy(warps[w].data(), bytes.data() + w * kMarksOfAWarp * sizeof(model::Mark),
                  kMarksOfAWarp * sizeof(model::Mark));
      const auto end = std::ranges::find(warps[w], model::MarkKind::End, &model::Mark::kind);
      if (end == warps[w].end())
        return unavailable("A warp of " + clocked_.experiment.variant + " left no end of its marks.");
      warps[w].erase(end + 1, warps[w].end());
      if (warps[w].size() == kMarksOfAWarp)
        return usageError(clocked_.experiment.variant +
                          " passes more barriers and shuffles than are clocked.");
    }
    return warps;
  }

  // The clock counted from the first mark.
  static Warps fromItsFirst(Warps warps) {
    std::uint64_t first = ~std::uint64_t{0};
    for (const model::WarpMarks& marks : warps) first = std::min<std::uint64_t>(first, marks.front().clock);
    for (model::WarpMarks& marks : warps)
      for (model::Mark& mark : marks) mark.clock -= first;
    return warps;
  }

  // The cycles from the first warp that begins to the last that ends.
  static std::uint64_t cyclesOf(const Warps& warps) {
    std::uint64_t begin = ~std::uint64_t{0}, end = 0;
    for (const model::WarpMarks& marks : warps) {
      begin = std::min<std::uint64_t>(begin, marks.front().clock);
      end = std::max<std::uint64_t>(end, marks.back().clock);
    }
    return end - begin;
  }

  CleanRunner& runner_;
  const ClockedLaunch clocked_;
  VariantMemory memory_;
  std::unique_ptr<GpuBuffer> marks_;
  std::unique_ptr<CleanKernel> cleanKernel_, markingKernel_;
  std::unique_ptr<TimedRun> cleanRun_, markingRun_;  // after what they use, so that they end before it
  std::vector<float> cleanTimes_, markedTimes_;
  std::vector<Warps> runs_;
};

}  // namespace

Result<model::ClockRecord> clockBlock(CleanRunner& runner, const model::Experiment& experiment,
                                      model::ClockedGrid company, const model::Executor& gpu,
                                      engine::JobControl& job) {
  auto launch = planned(experiment, company, gpu);
  if (!launch) return tl::unexpected(launch.error());
  BlockClock clock(runner, std::move(*launch));
  STRIDESCOPE_TRY(clock.prepare());
  for (unsigned run = 0; run < kClockedWarmUps + kClockedRuns; ++run) {
    if (job.cancel) return cancelled();
    STRIDESCOPE_TRY(clock.runBoth(run >= kClockedWarmUps));
  }
  return clock.record(company, gpu);
}

}  // namespace stridescope::measure::gpu
