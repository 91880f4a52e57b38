#include "session/timing_choices.h"

#include <algorithm>

#include "kernels/catalog.h"
#include "measure/timing_data.h"

namespace stridescope::session {
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
                           .sizes = {choices.elements},
                           .warmL2 = choices.warmL2,
                           .graph = choices.graph};
  for (const kernels::Variant* variant : measure::timedVariants(plan.type, plan.op))
    if (isRequested(*variant, experiment, choices))
      plan.subjects.push_back({model::SubjectKind::Variant, variant->id});
  if (choices.baselines)
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
