
#include <cstring>

#include "base/numbers.h"
#include "clocking/clock_control.h"
#include "measure/gpu/grid_run.h"
#include "measure/statistics.h"

namespace stridescope::measure::gpu {
namespace {

using clocking::PeelControl;

constexpr const char* kPeelControl = "clocking_peel";  // clocking/peeled.h

// Where a step ends, and the reduction up to there between two events.
struct Cut {
  model::PeeledPart part = model::PeeledPart::Launch;
  unsigned launch = 0, marks = 0;
  std::unique_ptr<TimedRun> run{};
  std::vector<float> times{};
};

class PeeledGrid {
 public:
  PeeledGrid(CleanRunner& runner, GridRun run) : runner_(runner), run_(std::move(run)) {}

  Result<void> prepare(const std::optional<TimedLaunch>& emptying) {
    auto peeled = runner_.load(run_.experiment, TimedForm::Peeled);
    if (!peeled) return tl::unexpected(peeled.error());
    peeled_ = std::move(*peeled);
    const auto control = peeled_->variable(kPeelControl, sizeof(PeelControl));
    if (!control) return tl::unexpected(control.error());
    control_ = *control;
    emptying_ = emptying;
    const auto marks = countMarks();
    if (!marks) return tl::unexpected(marks.error());
    if (*marks > model::kMaxPeeledMarks)
      return usageError("The steps of " + run_.experiment.variant +
                        " have no prices here: its threads pass " + figure(*marks) +
                        " barriers and shuffles, and " + figure(model::kMaxPeeledMarks) + " are the most.");
    return makeRuns(*marks);
  }

  Result<void> runAll(bool kept) {
    for (std::size_t i = 0; i <= cuts_.size(); ++i) {
      Cut& cut = i == 0 ? clean_ : cuts_[i - 1];
      const auto done = cut.run->run(run_.nextInput());
      if (!done) return tl::unexpected(done.error());
      if (!kept) continue;
      const bool withCpu = i == 0 || cut.part == model::PeeledPart::Cpu;
      cut.times.push_back(
          float(withCpu ? withCpuPart(run_.plan, run_.experiment, *done).microseconds : done->microseconds));
    }
    return {};
  }

  model::PeelRecord record(const model::Executor& gpu) const {
    const Summary clean = summarize(clean_.times);
    model::PeelRecord record{.experiment = run_.experiment,
                             .kernelHash = run_.kernelHash(),
                             .executor = gpu,
                             .runs = unsigned(clean_.times.size()),
                             .cleanMicroseconds = clean.median,
                             .cleanLow = clean.medianInterval.low,
                             .cleanHigh = clean.medianInterval.high};
    std::vector<float> none(clean_.times.size(), 0.0f);
    const std::vector<float>* before = &none;
    for (const Cut& cut : cuts_) {
      record.steps.push_back(stepFrom(*before, cut));
      before = &cut.times;
    }
    record.wholeMicroseconds = summarize(*before).median;
    return record;
  }

 private:
  // The time of a step is the difference of two medians, so that the steps add up to the last; how far it can
  // be trusted say the differences of the runs, which were made in turn.
  static model::PeelStep stepFrom(const std::vector<float>& before, const Cut& cut) {
    std::vector<float> differences(cut.times.size());
    for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = cut.times[i] - before[i];
    const Summary spread = summarize(differences);
    const double microseconds = summarize(cut.times).median - summarize(before).median;
    return {.part = cut.part,
            .launch = cut.launch,
            .marks = cut.marks,
            .microseconds = microseconds,
            .low = microseconds + spread.medianInterval.low - spread.median,
            .high = microseconds + spread.medianInterval.high - spread.median};
  }

  // What the grid's first thread passes in the first launch.
  Result<unsigned> countMarks() {
    const auto counting = runner_.load(run_.experiment, TimedForm::CountingMarks);
    if (!counting) return tl::unexpected(counting.error());
    const auto control = (*counting)->variable(kPeelControl, sizeof(PeelControl));
    if (!control) return tl::unexpected(control.error());
    auto passed = runner_.allocate(sizeof(unsigned));
    if (!passed) return tl::unexpected(passed.error());
    const PeelControl whole{.marks = clocking::kAllMarks,
                            .passed = reinterpret_cast<unsigned*>(std::uintptr_t((*passed)->address()))};
    std::vector<std::uint8_t> bytes(sizeof whole);
    std::memcpy(bytes.data(), &whole, sizeof whole);
    STRIDESCOPE_TRY(runner_.upload(*control, bytes));
    TimedPlan plan = run_.emptyPlan();
    plan.steps.emplace_back(run_.launchesOf(**counting).front());
    plan.resultAddress = (*passed)->address();
    plan.resultBytes = sizeof(unsigned);
    const auto run = runner_.timed(std::move(plan));
    if (!run) return tl::unexpected(run.error());
    const auto outcome = (*run)->run(run_.nextInput());
    if (!outcome) return tl::unexpected(outcome.error());
    unsigned marks = 0;
    std::memcpy(&marks, outcome->result.data(), sizeof marks);
    return marks;
  }

  Result<void> makeRuns(unsigned marks) {
    if (!run_.memory.resets.empty()) cuts_.push_back({.part = model::PeeledPart::Copy});
    for (unsigned i = 0; i <= marks; ++i) cuts_.push_back({.launch = 0, .marks = i});
    for (unsigned i = 0; i < run_.plan.launches.size(); ++i)
      cuts_.push_back({.launch = i, .marks = clocking::kAllMarks});
    if (run_.isFinishedOnCpu()) cuts_.push_back({.part = model::PeeledPart::Cpu});

    std::vector<PeelControl> controls;
    for (const Cut& cut : cuts_)
      controls.push_back({.marks = cut.part == model::PeeledPart::Launch ? cut.marks : clocking::kAllMarks});
    std::vector<std::uint8_t> bytes(controls.size() * sizeof(PeelControl));
    std::memcpy(bytes.data(), controls.data(), bytes.size());
    auto memory = runner_.allocate(bytes.size());
    if (!memory) return tl::unexpected(memory.error());
    controls_ = std::move(*memory);
    STRIDESCOPE_TRY(runner_.upload(*controls_, bytes));

    STRIDESCOPE_TRY(makeRun(clean_, *run_.kernel, run_.plan.launches.size(), true, {}));
    for (std::size_t i = 0; i < cuts_.size(); ++i)
      STRIDESCOPE_TRY(makeRun(cuts_[i], *peeled_, launchesUpTo(cuts_[i]),
                              cuts_[i].part == model::PeeledPart::Cpu,
                              TimedCopy{.to = control_,
                                        .from = controls_->address() + i * sizeof(PeelControl),
                                        .bytes = sizeof(PeelControl)}));
    return {};
  }

  std::size_t launchesUpTo(const Cut& cut) const {
    switch (cut.part) {
      case model::PeeledPart::Copy:
        return 0;
      case model::PeeledPart::Launch:
        return cut.launch + 1;
      case model::PeeledPart::Cpu:
        break;
    }
    return run_.plan.launches.size();
  }

  Result<void> makeRun(Cut& cut, CleanKernel& kernel, std::size_t launches, bool finished,
                       const std::optional<TimedCopy>& control) {
    TimedPlan plan = run_.reductionPlan();
    if (control) plan.before.emplace_back(*control);
    run_.empty(plan, emptying_);
    std::vector<TimedLaunch> all = run_.launchesOf(kernel);
    for (std::size_t i = 0; i < launches; ++i) plan.steps.emplace_back(std::move(all[i]));
    if (finished) run_.addCpuPart(plan);
    auto run = runner_.timed(std::move(plan));
    if (!run) return tl::unexpected(run.error());
    cut.run = std::move(*run);
    return {};
  }

  CleanRunner& runner_;
  GridRun run_;
  std::unique_ptr<CleanKernel> peeled_;
  std::unique_ptr<GpuBuffer> controls_;  // one of each cut
  std::uint64_t control_ = 0;            // the kernel's own
  std::optional<TimedLaunch> emptying_;
  Cut clean_;  // after what they use, so that they end before it
  std::vector<Cut> cuts_;
};

}  // namespace

Result<model::PeelRecord> peelRun(CleanRunner& runner, const model::Experiment& experiment,
                                  const model::Executor& gpu, const std::optional<TimedLaunch>& emptying,
                                  engine::JobControl& job) {
  auto run =
      planGrid(runner, experiment, gpu, {.what = "prices of its steps", .merges = false, .waits = false});
  if (!run) return tl::unexpected(run.error());
  PeeledGrid grid(runner, std::move(*run));
  STRIDESCOPE_TRY(grid.prepare(emptying));
  for (unsigned i = 0; i < kPeeledWarmUps + kPeeledRuns; ++i) {
    if (job.cancel) return cancelled();
    STRIDESCOPE_TRY(grid.runAll(i >= kPeeledWarmUps));
  }
  return grid.record(gpu);
}

template <>
Result<model::PeelRecord> measureGrid(const GridTask& task) {
  const auto emptying = task.emptying();
  if (!emptying) return tl::unexpected(emptying.error());
  return peelRun(task.runner, task.experiment, task.gpu, *emptying, task.job);
}

}  // namespace stridescope::measure::gpu
