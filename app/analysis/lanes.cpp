#include "analysis/lanes.h"

#include <algorithm>
#include <bit>

#include "analysis/event_groups.h"

namespace stridescope::analysis {
namespace {

using LaneMasks = std::vector<std::uint32_t>;  // one per warp

bool touchesShared(const WarpOperation& operation, const model::LaunchTrace& launch) {
  return isAccess(operation.kind) && firstEventOf(operation, launch).inShared();
}

LaneMasks activeLanesOf(const Round& round, const model::LaunchTrace& launch, std::size_t warps) {
  LaneMasks active(warps, 0), accessing(warps, 0);
  bool any = false;
  for (const WarpOperation& operation : round.operations) {
    if (isAccess(operation.kind)) accessing[operation.warp] |= operation.mask;
    if (!isExchange(operation.kind) && !touchesShared(operation, launch)) continue;
    active[operation.warp] |= operation.mask;
    any = true;
  }
  return any ? active : accessing;
}

LaneMasks lanesWithEvents(const Round& round, std::size_t warps) {
  LaneMasks lanes(warps, 0);
  for (const WarpOperation& operation : round.operations) lanes[operation.warp] |= operation.mask;
  return lanes;
}

LaneState stateOf(std::uint32_t lane, std::uint32_t active, std::uint32_t alive) {
  if ((active & lane) != 0) return LaneState::Active;
  if ((alive & lane) == 0) return LaneState::Finished;
  return active != 0 ? LaneState::Inactive : LaneState::IdleWarp;
}

// `alive`: the lanes that have not returned.
void fillIn(const model::LaunchTrace& launch, const LaneMasks& active, const LaneMasks& alive, Round& round) {
  round.lanes.resize(launch.block);
  round.activeLanes = round.activeWarps = round.partialWarps = 0;
  for (std::size_t warp = 0; warp < active.size(); ++warp) {
    const std::uint32_t all = lanesBelow(launch.block - warp * model::kWarpSize);
    round.activeLanes += unsigned(std::popcount(active[warp]));
    round.activeWarps += active[warp] != 0 ? 1 : 0;
    round.partialWarps += active[warp] != 0 && active[warp] != all ? 1 : 0;
    forEachLane(all, [&](unsigned lane) {
      round.lanes[warp * model::kWarpSize + lane] = stateOf(bitOf(lane), active[warp], alive[warp]);
    });
  }
}

}  // namespace

void findLaneStatesOfPass(const model::LaunchTrace& launch, const Round& round, Round& pass) {
  LaneMasks alive(model::warpsOf(launch.block), 0);
  for (std::size_t thread = 0; thread < round.lanes.size(); ++thread)
    if (round.lanes[thread] != LaneState::Finished)
      alive[thread / model::kWarpSize] |= bitOf(unsigned(thread % model::kWarpSize));
  fillIn(launch, activeLanesOf(pass, launch, alive.size()), alive, pass);
}

void findLaneStates(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const std::size_t warps = model::warpsOf(launch.block);
  LaneMasks alive(warps, 0);  // lanes with events in this round or in a later one
  for (std::size_t i = rounds.size(); i-- > 0;) {
    Round& round = rounds[i];
    const LaneMasks present = lanesWithEvents(round, warps);
    const LaneMasks active = activeLanesOf(round, launch, warps);
    for (std::size_t warp = 0; warp < warps; ++warp) alive[warp] |= present[warp];
    // Who only finds out, after the last barrier, that there is nothing left to do has finished.
    const bool afterTheLastBarrier = i > 0 && i + 1 == rounds.size() && round.endsWith == RoundEnd::End;
    fillIn(launch, active, afterTheLastBarrier ? active : alive, round);
  }
}

unsigned countDivergentBranches(const Round& round) {
  return unsigned(std::ranges::count_if(round.operations, [](const WarpOperation& operation) {
    return operation.kind == model::EventKind::Branch && operation.taken != 0 &&
           operation.taken != operation.mask;
  }));
}

}  // namespace stridescope::analysis
