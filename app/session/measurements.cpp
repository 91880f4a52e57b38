#include "session/measurements.h"

#include <algorithm>
#include <utility>

#include "base/in_parallel.h"
#include "kernels/catalog.h"
#include "measure/group_series.h"
#include "measure/timing_data.h"
#include "measure/timing_rows.h"

namespace stridescope::session {

namespace {

bool isOverSeveral(const model::Experiment& experiment) {
  const model::Kernel* const kernel = kernels::kernelOf(experiment);
  return kernel != nullptr && kernel->isOfSeveralGpus();
}

}  // namespace

Measurements::Measurements(std::shared_ptr<measure::TimingBoard> board, std::function<TimingTarget()> target)
    : board_(std::move(board)), target_(std::move(target)) {}

std::shared_ptr<const measure::TimingSnapshot> Measurements::timings() const {
  return board_ ? board_->snapshot() : nullptr;
}

std::uint64_t Measurements::elements() const { return measure::timedElements(target_().experiment); }

bool Measurements::isTiming() const {
  const auto now = timings();
  return now &&
         (now->state == measure::TimingState::Preparing || now->state == measure::TimingState::Sampling ||
          now->state == measure::TimingState::Paused || now->state == measure::TimingState::Held);
}

std::string Measurements::whyNotTimed(TimingSweep sweep) const {
  if (!board_) return "This window cannot time anything.";
  if (!hasThreads()) return "A page times nothing. The program on a machine times its GPU and its CPU.";
  const TimingTarget target = target_();
  if (sweep == TimingSweep::BlockSizes && !target.gpu)
    return "Only a GPU has block sizes, and none can be used here.";
  if (isOverSeveral(target.experiment) && !target.gpu)
    return "Several GPUs are timed where there are some, and none can be used here.";
  if (!measure::isTimed(target.experiment.type, target.experiment.op))
    return "This operator is not timed: its results could not be checked. Choose another operator.";
  return {};
}

std::optional<std::string> Measurements::csv() const {
  const auto now = timings();
  if (!now) return std::nullopt;
  return measure::timeCsv(measure::allTimeRows(*now));
}

measure::TimingPlan Measurements::planOf(TimingSweep sweep) const {
  const TimingTarget target = target_();
  measure::TimingPlan plan = target.gpu ? timingPlan(target.experiment, choices_, sweep)
                                        : cpuTimingPlan(target.experiment, choices_, sweep);
  plan.gpu = target.gpu.value_or(0);
  return plan;
}

void Measurements::start(TimingSweep sweep) {
  if (!board_) return;
  if (!whyNotTimed(sweep).empty()) {
    board_->stop();
    return;
  }
  sweep_ = sweep;
  board_->start(planOf(sweep));
}

void Measurements::restart() {
  // A sweep over sizes does not begin again because another n was chosen.
  if (isTiming() && (!whyNotTimed(sweep_).empty() || timings()->plan != planOf(sweep_))) start(sweep_);
}

void Measurements::stop() {
  if (board_) board_->stop();
}

void Measurements::pause() {
  if (!isTiming()) return;
  if (timings()->state == measure::TimingState::Paused)
    board_->resume();
  else
    board_->pause();
}

void Measurements::clear() {
  if (board_) board_->clear();
}

void Measurements::choose(const TimingChoices& choices) {
  if (choices_ == choices) return;
  choices_ = choices;
  restart();
}

namespace {

bool isRequested(const kernels::Variant& variant, const model::Experiment& experiment,
                 const TimingChoices& choices) {
  if (!variant.onlyOnCpu.empty()) return false;
  return choices.everyVariant || variant.family == kernels::Family::Ladder ||
         variant.id == experiment.variant;
}

}  // namespace

measure::TimingPlan timingPlan(const model::Experiment& experiment, const TimingChoices& choices,
                               TimingSweep sweep) {
  measure::TimingPlan plan{.type = experiment.type,
                           .op = experiment.op,
                           .sizes = {measure::timedElements(experiment)},
                           .warmL2 = choices.warmL2,
                           .graph = choices.graph && !isOverSeveral(experiment)};
  if (isOverSeveral(experiment)) {
    plan.gpus = experiment.gpus;
    const bool arrays = measure::leavesArrays({model::SubjectKind::SeveralGpus, experiment.variant});
    for (model::TimingSubject& subject : measure::groupSubjects(plan.type, plan.op))
      if (measure::leavesArrays(subject) == arrays) plan.subjects.push_back(std::move(subject));
  } else {
    for (const kernels::Variant* variant : measure::timedVariants(plan.type, plan.op))
      if (isRequested(*variant, experiment, choices))
        plan.subjects.push_back({model::SubjectKind::Variant, variant->id});
  }
  if (choices.baselines && plan.gpus == 0)
    for (model::TimingSubject& baseline : measure::baselineSubjects(plan.type, plan.op))
      if (sweep != TimingSweep::BlockSizes || baseline.kind == model::SubjectKind::GpuBaseline)
        plan.subjects.push_back(std::move(baseline));
  if (sweep == TimingSweep::OneSize) return plan;

  plan.secondsPerCase = kSecondsPerCase;
  if (sweep == TimingSweep::Sizes) {
    plan.sizes.clear();
    for (std::uint64_t size = kMinSweptSize; size <= kMaxSweptSize; size *= kSweptSizeFactor)
      plan.sizes.push_back(size);
  } else {
    plan.threads.clear();
    for (unsigned threads = kMinSweptBlock; threads <= kMaxSweptBlock; threads *= 2)
      plan.threads.push_back(threads);
  }
  return plan;
}

measure::TimingPlan cpuTimingPlan(const model::Experiment& experiment, const TimingChoices& choices,
                                  TimingSweep sweep) {
  TimingChoices withBaselines = choices;
  withBaselines.baselines = true;
  measure::TimingPlan plan = timingPlan(experiment, withBaselines, sweep);
  std::erase_if(plan.subjects, [](const model::TimingSubject& subject) {
    return subject.kind != model::SubjectKind::CpuBaseline;
  });
  if (sweep == TimingSweep::Sizes)
    std::erase_if(plan.sizes, [&](std::uint64_t size) {
      return size * model::bytesOf(plan.type) > measure::kMaxCpuInputBytes;
    });
  return plan;
}

}  // namespace stridescope::session
