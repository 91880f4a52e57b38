// Where threads wait for one another: the block barrier, and the warp operations.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "turns.h"

namespace recording {

using stridescope::model::ProblemKind;

namespace {

bool isReduce(WarpAct act) { return act >= WarpAct::ReduceAdd && act != WarpAct::CombineGroup; }

// What each lane of a tile holds at last, as in cg::reduce: at each halving a lane folds its own value with
// that of the lane at that distance, which is right of it for one and left of it for the other.
void combineByHalves(HostThread* lanes, U32 present, U32 width) {
  U64 values[kLanes] = {}, next[kLanes] = {};
  for (U32 lane = 0; lane < kLanes; ++lane)
    if ((present >> lane & 1) != 0) values[lane] = lanes[lane].request.bits;
  for (U32 distance = width / 2; distance > 0; distance /= 2) {
    for (U32 rest = present; rest != 0; rest &= rest - 1) {
      const U32 lane = U32(std::countr_zero(rest)), other = lane ^ distance;
      const bool there = (present >> other & 1) != 0;
      next[lane] = there ? lanes[lane].request.fold(values[lane], values[other]) : values[lane];
    }
    std::copy_n(next, kLanes, values);
  }
  for (U32 rest = present; rest != 0; rest &= rest - 1) {
    const U32 lane = U32(std::countr_zero(rest));
    lanes[lane].request.bits = values[lane];
  }
}

// "lane 3", "lanes 0 and 5", "lanes 0, 1, 2 and 29 others"
std::string lanesText(U32 lanes) {
  constexpr int kNamed = 3;
  const int count = std::popcount(lanes);
  std::string text = count == 1 ? "lane " : "lanes ";
  int named = 0;
  for (U32 rest = lanes; rest != 0 && named < (count > kNamed + 1 ? kNamed : count); rest &= rest - 1) {
    if (named > 0) text += named == count - 1 ? " and " : ", ";
    text += std::to_string(std::countr_zero(rest));
    ++named;
  }
  if (named < count) text += " and " + std::to_string(count - named) + " others";
  return text;
}

}  // namespace

// ---- The block barrier.

// Out of line, so that every thread's arrival needs no stack for the sentence.
__attribute__((noinline, cold)) void BlockRunner::reportOtherBarrier(U32 site) {
  const U32 thread = running->thread, first = firstAtBarrier_;
  const std::string advice = ". Move the barrier out of the branch, so that all threads reach the same one.";
  report(ProblemKind::DivergentBarrier,
         threadName(first) + " waits at this __syncthreads(), thread " + std::to_string(thread) +
             " at another one" + advice,
         int(barrierSite_), first);
  report(ProblemKind::DivergentBarrier,
         threadName(thread) + " waits at this __syncthreads(), thread " + std::to_string(first) +
             " at another one" + advice,
         int(site), thread);
}

HostThread& BlockRunner::arriveAtBarrier(U32 site, bool predicate) {
  HostThread& thread = *running;
  if (arrived_ == 0) {
    barrierSite_ = site;
    firstAtBarrier_ = thread.thread;
  } else if (site != barrierSite_) {
    reportOtherBarrier(site);
  }
  ++arrived_;
  predicates_ += predicate;
  warpOf(thread).runnable &= ~(1u << thread.lane);
  return handOver(pickNext());
}

void BlockRunner::releaseBlockBarrier() {
  if (arrived_ < threadCount_) reportMissingThreads();
  barrierCount = int(predicates_);
  barrierAll = predicates_ == arrived_;
  arrived_ = predicates_ = 0;
  currentWarp_ = 0;
  for (U32 warp = 0; warp < warps_.size(); ++warp) {
    warps_[warp].runnable = warps_[warp].live;
    if (warps_[warp].live != 0) readyWarps_ |= 1u << warp;
  }
  if (recording_) copyShared();
}

void BlockRunner::reportMissingThreads() {
  U32 returned = 0;
  while ((warps_[returned / kLanes].live >> returned % kLanes & 1) != 0) ++returned;
  report(
      ProblemKind::DivergentBarrier,
      "Only " + std::to_string(arrived_) + " of " + std::to_string(threadCount_) +
          " threads reach this __syncthreads(): " +
          (inspected_ ? "thread " : "in a block that is not recorded, thread ") + std::to_string(returned) +
          " has returned. GPUs since Volta (compute capability 7.0) go on without those that have returned, "
          "but CUDA's rule is that all threads of a block reach it. Guard the work, not the barrier.",
      int(barrierSite_), returned);
}

// ---- Warp operations.

HostThread& BlockRunner::meet(const WarpRequest& request) {
  HostThread& thread = *running;
  const U32 self = 1u << thread.lane;
  if ((request.mask & self) == 0)
    report(ProblemKind::UndefinedShuffle,
           threadName(thread.thread) + " is lane " + std::to_string(thread.lane) +
               " and not in the mask it names: the result is undefined. Name all lanes that take part.",
           int(request.site), thread.thread);
  thread.request = request;
  thread.request.mask |= self;
  Warp& warp = warpOf(thread);
  warp.runnable &= ~self;
  warp.meeting |= self;
  return completeMeeting(thread.thread / kLanes, thread.request.mask) ? thread : handOver(pickNext());
}

// If all live lanes of the mask have come for the same, gives each its result and lets it go on.
bool BlockRunner::completeMeeting(U32 warpIndex, U32 mask) {
  Warp& warp = warps_[warpIndex];
  HostThread* const lanes = &threads_[warpIndex * kLanes];
  const U32 present = mask & warp.live;
  if (present == 0 || (warp.meeting & present) != present) return false;
  const WarpAct act = lanes[std::countr_zero(present)].request.act;
  U64 folded = 0;
  U32 ballot = 0;
  U64 given[kLanes] = {};
  for (U32 rest = present; rest != 0; rest &= rest - 1) {
    const U32 lane = U32(std::countr_zero(rest));
    const WarpRequest& request = lanes[lane].request;
    if (request.mask != mask || request.act != act) return false;
    given[lane] = request.bits;
    ballot |= U32(request.bits != 0) << lane;
    if (isReduce(act)) folded = rest == present ? request.bits : request.fold(folded, request.bits);
  }
  if (act != WarpAct::Barrier) checkSameSite(lanes, present);
  if (act == WarpAct::CombineGroup)
    combineByHalves(lanes, present, lanes[std::countr_zero(present)].request.source);
  if (act == WarpAct::Ballot) folded = ballot;
  if (act == WarpAct::Any) folded = ballot != 0;
  if (act == WarpAct::All) folded = ballot == present;
  for (U32 rest = present; rest != 0; rest &= rest - 1) {
    HostThread& thread = lanes[std::countr_zero(rest)];
    if (act == WarpAct::Barrier) {
      if (recording_) copyTouchedWords(thread);
      ++thread.warpBarriers;
    } else if (act == WarpAct::CombineGroup) {
    } else if (act != WarpAct::Shuffle) {
      thread.request.bits = folded;
    } else if ((present >> thread.request.source & 1) != 0) {
      thread.request.bits = given[thread.request.source];
    } else {
      reportAbsentSource(thread);
    }
  }
  warp.meeting &= ~present;
  warp.runnable |= present;
  if (outcome_ != BlockOutcome::Finished) stop(outcome_);
  return true;
}

// Lanes that meet in two places of the text exchange their values, as on the GPU, but nothing says that they
// must.
void BlockRunner::checkSameSite(const HostThread* lanes, U32 present) {
  const HostThread& first = lanes[std::countr_zero(present)];
  for (U32 rest = present; rest != 0; rest &= rest - 1) {
    const HostThread& other = lanes[std::countr_zero(rest)];
    if (other.request.site == first.request.site) continue;
    for (const auto& [one, another] : {std::pair(&first, &other), std::pair(&other, &first)})
      report(
          ProblemKind::UndefinedShuffle,
          threadName(one->thread) + " meets thread " + std::to_string(another->thread) +
              " here, which is in a warp operation elsewhere: the result is undefined. Name in the mask only "
              "the lanes that reach this one.",
          int(one->request.site), one->thread);
    return;
  }
}

void BlockRunner::reportAbsentSource(const HostThread& thread) {
  const U32 source = thread.request.source;
  const bool named = (thread.request.mask >> source & 1) != 0;
  const bool exists = thread.thread - thread.lane + source < threadCount_;
  report(ProblemKind::UndefinedShuffle,
         threadName(thread.thread) + " shuffles from lane " + std::to_string(source) + ", which " +
             (!exists ? "this block does not have"
              : named ? "has returned"
                      : "the mask does not name") +
             ": what it receives is undefined. Let every lane that is read reach the shuffle, and name it in "
             "the mask.",
         int(thread.request.site), thread.thread);
}

// A lane that returned is waited for no longer.
void BlockRunner::completeMeetingsAfterReturn(U32 warpIndex) {
  const Warp& warp = warps_[warpIndex];
  for (U32 rest = warp.meeting; rest != 0; rest &= rest - 1) {
    const U32 lane = U32(std::countr_zero(rest));
    if ((warp.meeting >> lane & 1) != 0)
      completeMeeting(warpIndex, threads_[warpIndex * kLanes + lane].request.mask);
  }
}

// Lanes that can do nothing but wait until they know who is with them. Those that ask at the same site run
// together, as on the GPU after a branch.
void BlockRunner::answerAsking(Warp& warp) {
  HostThread* const lanes = &threads_[std::size_t(&warp - warps_.data()) * kLanes];
  const U32 site = lanes[std::countr_zero(warp.asking)].request.site;
  U32 together = 0;
  for (U32 rest = warp.asking; rest != 0; rest &= rest - 1)
    if (lanes[std::countr_zero(rest)].request.site == site) together |= rest & -rest;
  for (U32 rest = together; rest != 0; rest &= rest - 1)
    lanes[std::countr_zero(rest)].request.bits = together;
  warp.asking &= ~together;
  warp.runnable |= together;
}

// Nobody can go on. One sentence on a thread that waits in its warp, one on a thread at the block barrier.
void BlockRunner::reportDeadlock() {
  bool toldOfWarp = false, toldOfBarrier = false;
  for (const HostThread& thread : threads_) {
    const Warp& warp = warpOf(thread);
    const U32 self = 1u << thread.lane;
    if ((warp.live & self) == 0) continue;
    if ((warp.meeting & self) != 0 && !toldOfWarp) {
      const U32 wanted = thread.request.mask & warp.live & ~self;
      U32 missing = 0, elsewhere = 0;
      for (U32 rest = wanted; rest != 0; rest &= rest - 1) {
        const U32 lane = U32(std::countr_zero(rest));
        const HostThread& other = threads_[thread.thread - thread.lane + lane];
        if ((warp.meeting >> lane & 1) == 0)
          missing |= 1u << lane;
        else if (other.request.mask != thread.request.mask || other.request.act != thread.request.act)
          elsewhere |= 1u << lane;
      }
      std::string text = threadName(thread.thread) + " waits for " +
                         lanesText(missing != 0 ? missing : elsewhere) + " of its warp";
      text += missing != 0 ? ", at __syncthreads(): nobody can go on. "
                           : ", in another warp operation or with another mask: nobody can go on. ";
      text += "Let every lane of the mask reach the same warp operation, with the same mask.";
      report(ProblemKind::Deadlock, std::move(text), int(thread.request.site), thread.thread);
      toldOfWarp = true;
    }
    if ((warp.meeting & self) == 0 && !toldOfBarrier) {
      report(ProblemKind::Deadlock,
             threadName(thread.thread) +
                 " waits at __syncthreads() for threads that wait in a warp operation: nobody can go on. Let "
                 "every thread of the block reach the barrier.",
             int(barrierSite_), thread.thread);
      toldOfBarrier = true;
    }
  }
}

HostThread& arriveAtBlockBarrier(U32 site, bool predicate) {
  return BlockRunner::current().arriveAtBarrier(site, predicate);
}

HostThread& arriveAtMeeting(const WarpRequest& request) { return BlockRunner::current().meet(request); }

U32 lanesTogether(U32 site) {
  BlockRunner& runner = BlockRunner::current();
  HostThread& thread = *runner.running;
  BlockRunner::Warp& warp = runner.warpOf(thread);
  const U32 self = 1u << thread.lane;
  thread.request.site = site;
  warp.runnable &= ~self;
  warp.asking |= self;
  leaveFor(thread, runner.handOver(runner.pickNext()));
  return U32(thread.request.bits);
}

}  // namespace recording
