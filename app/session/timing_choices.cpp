#include "session/timing_choices.h"

#include <algorithm>

#include "kernels/catalog.h"
#include "measure/timing_data.h"

namespace stridescope {
namespace {

constexpr std::string_view kLadderFamily = "ladder";

bool isWished(const TimingSubject& subject, const Experiment& experiment, const TimingChoices& choices) {
  const Variant* variant = findVariant(subject.id);
  if (variant == nullptr || variant->isWrong() || !variant->onlyOnCpu.empty()) return false;
  return choices.everyVariant || variant->family == kLadderFamily || variant->id == experiment.variant;
}

}  // namespace

TimingPlan timingPlan(const Experiment& experiment, const TimingChoices& choices, TimingSweep sweep) {
  TimingPlan plan{.type = experiment.type,
                  .op = experiment.op,
                  .sizes = {choices.elements},
                  .warmL2 = choices.warmL2,
                  .graph = choices.graph};
  for (TimingSubject& subject : variantSubjects(plan.type, plan.op))
    if (isWished(subject, experiment, choices)) plan.subjects.push_back(std::move(subject));
  if (choices.peers)
    for (TimingSubject& peer : peerSubjects(plan.type, plan.op))
      if (sweep != TimingSweep::BlockSizes || peer.kind == SubjectKind::GpuPeer)
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

TimingPlan cpuTimingPlan(const Experiment& experiment, const TimingChoices& choices, TimingSweep sweep) {
  TimingChoices withPeers = choices;
  withPeers.peers = true;
  TimingPlan plan = timingPlan(experiment, withPeers, sweep);
  std::erase_if(plan.subjects,
                [](const TimingSubject& subject) { return subject.kind != SubjectKind::CpuPeer; });
  if (sweep == TimingSweep::Sizes)
    std::erase_if(plan.sizes,
                  [&](std::uint64_t size) { return size * bytesOf(plan.type) > kMaxCpuInputBytes; });
  return plan;
}

}  // namespace stridescope
