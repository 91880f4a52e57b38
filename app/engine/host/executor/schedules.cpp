// The stepwise schedules: a thread pauses before every access to memory, and who goes on is chosen anew.
#include <bit>

#include "grid_runner.h"
#include "turns.h"

namespace recording {

using stridescope::model::Schedule;

namespace {

constexpr U32 kChoicesBetweenLooks = 1024;  // at whether the launch has been cancelled

}  // namespace

void BlockRunner::prepareSchedule() {
  step_ = choices_ = 0;
  random_ = launch_.scheduleSeed;
  random_ = nextRandom(random_) + block_;  // another interleaving in each block
}

// Positions tell who stands earlier in the text.
void BlockRunner::pauseBefore(U32 site, bool write) {
  HostThread& thread = *running;
  const U32 position = launch_.positionOf == nullptr ? site : launch_.positionOf(site);
  thread.position = 2 * position + U32(write) + 1;
  HostThread& chosen = pickStepwise();
  if (&chosen != &thread) leaveFor(thread, handOver(chosen));
  thread.position = 0;
}

HostThread& BlockRunner::pickStepwise() {
  if (++choices_ % kChoicesBetweenLooks == 0 && isCancelled()) {
    outcome_ = BlockOutcome::Cancelled;
    return main_;
  }
  for (;;) {
    if (launch_.schedule == Schedule::Random) {
      if (HostThread* const thread = pickAtRandom()) return *thread;
    } else if (const U32 lanes = step_ & warps_[currentWarp_].runnable; lanes != 0) {
      step_ &= ~(lanes & -lanes);
      return threads_[currentWarp_ * kLanes + U32(std::countr_zero(lanes))];
    } else if (chooseStep()) {
      continue;
    }
    // Nobody can go on by themselves: those that rest or ask, or the block barrier.
    if (&pickInAnotherWarp() == &main_) return main_;
    step_ = 0;
  }
}

// Chooses the warp, and of its lanes those whose access stands first in the text: they make it together.
// False: no lane of any warp can go on.
bool BlockRunner::chooseStep() {
  const auto count = U32(warps_.size());
  const Warp& last = warps_[currentWarp_];
  const bool stays = launch_.schedule == Schedule::WarpByWarp && last.steps < kTurnEvents;
  for (U32 ahead = stays ? 0 : 1; ahead < count + 1; ++ahead) {
    const U32 index = (currentWarp_ + ahead) % count;
    Warp& warp = warps_[index];
    if (warp.runnable == 0) continue;
    currentWarp_ = index;
    const bool same = warp.couldGo == warp.runnable && warp.steps < kTurnEvents;
    warp.couldGo = warp.runnable;
    warp.steps = same ? warp.steps + 1 : 0;
    const bool rearmost = warp.apart >= kApartSteps;
    step_ = lanesAtOnePlace(index, rearmost);
    warp.apart = step_ == warp.runnable || rearmost ? 0 : warp.apart + 1;
    return true;
  }
  return false;
}

// The runnable lanes whose access stands first in the text, or last.
U32 BlockRunner::lanesAtOnePlace(U32 warp, bool last) const {
  U32 place = 0, lanes = 0;
  for (U32 rest = warps_[warp].runnable; rest != 0; rest &= rest - 1) {
    const U32 position = threads_[warp * kLanes + U32(std::countr_zero(rest))].position;
    if (lanes == 0 || (last ? position > place : position < place)) {
      place = position;
      lanes = 0;
    }
    if (position == place) lanes |= rest & -rest;
  }
  return lanes;
}

HostThread* BlockRunner::pickAtRandom() {
  U32 total = 0;
  for (const Warp& warp : warps_) total += U32(std::popcount(warp.runnable));
  if (total == 0) return nullptr;
  U32 drawn = U32(nextRandom(random_) % total);
  for (U32 index = 0;; ++index) {
    U32 lanes = warps_[index].runnable;
    const auto count = U32(std::popcount(lanes));
    if (drawn >= count) {
      drawn -= count;
      continue;
    }
    while (drawn-- > 0) lanes &= lanes - 1;
    currentWarp_ = index;
    return &threads_[index * kLanes + U32(std::countr_zero(lanes))];
  }
}

void letOthersGo(U32 site) { BlockRunner::current().pauseBefore(site, true); }

}  // namespace recording
