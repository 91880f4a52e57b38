// Turns: how one thread leaves off and the next goes on. Inline, because each wait of each thread comes here.
// Only the .cpp files beside it include it.
#pragma once

#include <algorithm>
#include <bit>

#include "engine/host/executor/block_runner.h"

namespace recording {

inline constexpr U32 kLanes = 32;

inline void BlockRunner::startTurn(HostThread& thread) {
  running = &thread;
  std::uint64_t room = scratch_.size();
  next = scratch_.data();
  if (recording_) {
    room = std::uint64_t(log_.end() - logEnd_);
    next = logEnd_;
    thread.lastTurn = log_.startTurn(thread.thread, logEnd_, thread.lastTurn);
  }
  turnStart_ = next;
  // One more than the limit: a thread that makes exactly as many is not stopped.
  const std::uint64_t allowed = eventLimit(thread) + 1 - thread.events;
  end = next + std::min({room, allowed, std::uint64_t(kTurnEvents)});
}

inline void BlockRunner::endTurn() {
  running->events += U32(next - turnStart_);
  if (recording_) logEnd_ = next;
}

// Ends the running turn and starts that of `to`, whom the running thread must then leave for.
inline HostThread& BlockRunner::handOver(HostThread& to) {
  endTurn();
  if (&to == &main_)
    running = &main_;
  else
    startTurn(to);
  return to;
}

inline HostThread& BlockRunner::lowestRunnable() {
  return threads_[currentWarp_ * kLanes + U32(std::countr_zero(warps_[currentWarp_].runnable))];
}

// Who goes on: the lowest lane of the current warp that can, else one of the next warp.
inline HostThread& BlockRunner::pickNext() {
  if (__builtin_expect(stepwise, 0)) return pickStepwise();
  return warps_[currentWarp_].runnable != 0 ? lowestRunnable() : pickInAnotherWarp();
}

}  // namespace recording
