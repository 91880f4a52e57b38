#include "session/timing_choices.h"

#include <algorithm>

#include "kernels/catalog.h"
#include "measure/timing_data.h"

namespace stridescope::session {
namespace {

bool isWished(const model::TimingSubject& subject, const model::Experiment& experiment,
              const TimingChoices& choices) {
  const kernels::Variant* variant = kernels::findVariant(subject.id);
  if (variant == nullptr || variant->isWrong() || !variant->onlyOnCpu.empty()) return false;
  return choices.everyVariant || variant->family == kernels::Family::Ladder ||
         variant->id == experiment.variant;
}

}  // namespace

measure::TimingPlan timingPlan(const model::Experiment& experiment, const TimingChoices& choices,
                               TimingSweep sweep) {
  measure::TimingPlan plan{.type = experiment.type,
                           .op = experiment.op,
                           .sizes = {choices.elements},
                           .warmL2 = choices.warmL2,
                           .graph = choices.graph};
  for (model::TimingSubject& subject : measure::variantSubjects(plan.type, plan.op))
    if (isWished(subject, experiment, choices)) plan.subjects.push_back(std::move(subject));
  if (choices.peers)
    for (model::TimingSubject& peer : measure::peerSubjects(plan.type, plan.op))
      if (sweep != TimingSweep::BlockSizes || peer.kind == model::SubjectKind::GpuPeer)
        plan.subjects.push_back(std::move(peer));
  if (sweep == TimingSweep::OneSize) return plan;

  plan.secondsPerStation = kSecondsPerStation;
  if (sweep == TimingSweep::Sizes) {
    plan.sizes.clear();
    for (std::uint64_t size = kLeastSweptSize; size <= kMostSweptSize; size *= kSweptSizeFactor)
      plan.sizes.push_back(size);
  } else {
    plan.threads.clear();
    for (unsigned threads = kLeastSweptBlock; threads <= kMostSweptBlock; threads *= 2)
      plan.threads.push_back(threads);
  }
  return plan;
}

measure::TimingPlan cpuTimingPlan(const model::Experiment& experiment, const TimingChoices& choices,
                                  TimingSweep sweep) {
  TimingChoices withPeers = choices;
  withPeers.peers = true;
  measure::TimingPlan plan = timingPlan(experiment, withPeers, sweep);
  std::erase_if(plan.subjects, [](const model::TimingSubject& subject) {
    return subject.kind != model::SubjectKind::CpuPeer;
  });
  if (sweep == TimingSweep::Sizes)
    std::erase_if(plan.sizes, [&](std::uint64_t size) {
      return size * model::bytesOf(plan.type) > measure::kMaxCpuInputBytes;
    });
  return plan;
}

}  // namespace stridescope::session
