#include "analysis/round_kind.h"

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

// Which memory is read and written. Worked in: shared memory, and buffers that the kernel works in.
struct Traffic {
  bool readsInput = false, readsWorkedIn = false, writesWorkedIn = false, writesOutput = false;
  bool exchanges = false;
};

bool isWorkedIn(const model::Array& buffer) { return buffer.role == model::ParameterRole::InPlace; }

Traffic trafficOf(const model::LaunchTrace& launch, const Round& round) {
  Traffic traffic;
  for (const WarpOperation& operation : round.operations) {
    traffic.exchanges = traffic.exchanges || operation.kind == model::EventKind::Shuffle ||
                        operation.kind == model::EventKind::WarpReduce;
    if (!isAccess(operation.kind)) continue;
    const model::Event& event = firstEventOf(operation, launch);
    if (!event.inShared() && !event.inGlobal()) continue;
    const model::Array& array = launch.arrayOf(event);
    if (!array.type) continue;
    const bool workedIn = event.inShared() || isWorkedIn(array);
    bool& flag = isWrite(operation.kind) ? (workedIn ? traffic.writesWorkedIn : traffic.writesOutput)
                                         : (workedIn ? traffic.readsWorkedIn : traffic.readsInput);
    flag = true;
  }
  return traffic;
}

}  // namespace

RoundKind findKind(const model::LaunchTrace& launch, const Round& round) {
  const Traffic traffic = trafficOf(launch, round);
  if (traffic.exchanges) return traffic.readsInput ? RoundKind::Mixed : RoundKind::Exchange;
  if (traffic.readsInput)
    return traffic.readsWorkedIn || traffic.writesOutput ? RoundKind::Mixed : RoundKind::Load;
  if (traffic.writesOutput) return traffic.writesWorkedIn ? RoundKind::Mixed : RoundKind::Write;
  if (!traffic.readsWorkedIn) return RoundKind::Mixed;
  return model::indexOfRole(launch.buffers, model::ParameterRole::Merged) ? RoundKind::Merge
                                                                          : RoundKind::Combine;
}

}  // namespace stridescope::analysis
