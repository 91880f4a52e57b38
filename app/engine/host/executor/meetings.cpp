// Where threads wait for one another: the block barrier, and the warp operations.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "base/numbers.h"
#include "turns.h"

namespace recording {

using stridescope::figure;
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
  isClusterBarrier_ = isAtClusterBarrier_ = false;
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

// Threads that wait for another block: they look at one place in device memory again and again, and nothing
// that they do changes it. A block all of whose threads wait pauses (Pauses), so that the block that will
// store there can run; until then nothing can come of its going on.
//
// - Lane by lane: a thread waits that has made a whole turn of such looks, if the place was the same, and
// held
//   the same, at the end of the turn before.
// - In the stepwise schedules: one whose last kWaitingLooks accesses were to the same place and found the
// same. Looks that are further apart than kEventsBetweenLooks, that store, or that read shared memory or 16
// bytes are not recognised, nor (lane by lane) are those with a barrier or a warp operation between them.
//
// A thread that looks by atomic loads says so itself: it waits from the second look on that finds the same,
// and leaves one event (recording/core.h). Where nobody else can go on, it looks kMaxVainLooks times more, as
// a loop may give up, and is then reported.

namespace {

constexpr U32 kWaitingLooks = 256;
constexpr unsigned kEventsBetweenLooks = 64;
constexpr U32 kMaxBytes = sizeof(WaitedPlace::bits);
constexpr U32 kMaxVainLooks = 1u << 14;
// While a thread waits, its events are forgiven, but no more than so many times its limit: two blocks that
// keep each other waiting for ever come to an end. All events of a thread are counted in 32 bits.
constexpr std::uint64_t kForgivenLimits = 16;
constexpr std::uint64_t kCounted = 0xffffffffu - 2 * kTurnEvents;

U64 bitsAt(U64 address, U32 bytes) {
  U64 bits = 0;
  std::memcpy(&bits, reinterpret_cast<const void*>(address), bytes);
  return bits;
}

bool isSamePlace(const WaitedPlace& a, const WaitedPlace& b) {
  return a.address == b.address && a.bytes == b.bytes && a.bits == b.bits;
}

// The last events of a turn, all of them looks at one place.
struct Looks {
  const Event* first = nullptr;
  const Event* access = nullptr;  // the last one; null: there is none
};

Looks lastLooks(const Event* begin, const Event* end) {
  Looks looks{.first = end};
  unsigned between = 0;
  for (; looks.first != begin; --looks.first) {
    const Event& event = looks.first[-1];
    if (event.kind() == EventKind::Branch || event.kind() == EventKind::Value) {
      if (++between > kEventsBetweenLooks) break;
      continue;
    }
    const bool reads = event.kind() == EventKind::Load || event.kind() == EventKind::Atomic;
    if (!reads || !event.inGlobal() || event.width() > kMaxBytes) break;
    if (looks.access == nullptr) looks.access = &event;
    if (event.space() != looks.access->space() || event.offset() != looks.access->offset() ||
        event.width() != looks.access->width())
      break;
    between = 0;
  }
  return looks;
}

}  // namespace

// Did the running thread do nothing but wait in the turn that ends? If so, it is noted.
bool BlockRunner::isWaitingTurn() {
  HostThread& thread = *running;
  const Looks looks = lastLooks(turnStart_, next);
  const WaitedPlace before = thread.waited;
  thread.waited = {};
  if (looks.access == nullptr) return false;
  const U64 address = addressOf(*looks.access);
  const U32 bytes = looks.access->width();
  thread.waited = {.address = address,
                   .bits = bitsAt(address, bytes),
                   .bytes = bytes,
                   .since = thread.events + U32(looks.first - turnStart_)};
  if (looks.first != turnStart_ || !isSamePlace(thread.waited, before)) return false;
  thread.waited.since = before.since;
  noteWait(thread);
  return true;
}

// The same of the access that the running thread is about to make.
bool BlockRunner::isWaitingLook(std::uintptr_t address, U32 bytes) {
  HostThread& thread = *running;
  const WaitedPlace before = thread.waited;
  thread.waited = {};
  const bool isInBuffer = std::any_of(buffers, buffers + bufferCount, [&](const MemoryRange& range) {
    const U64 offset = address - range.base;
    return offset < range.bytes && range.bytes - offset >= bytes;
  });
  if (!isInBuffer || bytes > kMaxBytes) return false;
  thread.waited = {.address = address,
                   .bits = bitsAt(address, bytes),
                   .bytes = bytes,
                   .since = thread.events + U32(next - turnStart_)};
  if (!isSamePlace(thread.waited, before)) return false;
  thread.waited.since = before.since;
  thread.waited.looks = before.looks + 1;
  if (thread.waited.looks < kWaitingLooks) return false;
  thread.waited.looks = 0;
  noteWait(thread);
  return true;
}

void BlockRunner::noteWait(HostThread& thread) {
  const U32 events = thread.events + U32(next - turnStart_);
  const std::uint64_t limit = std::min(launch_.eventsPerThread, kCounted);
  const std::uint64_t most = std::min(kForgivenLimits * limit, kCounted - limit);
  thread.forgiven = U32(std::min<std::uint64_t>(most, thread.forgiven + (events - thread.waited.since)));
  thread.waited.since = events;
  waited_.push_back(thread.waited);
}

// The running thread's last look at the place, if its turn has it and nothing but branches and values behind
// it.
Event* BlockRunner::lastLook(U32 site, std::uintptr_t address, U32 bytes) {
  Event* look = next;
  for (U32 behind = 0; look != turnStart_; ++behind) {
    --look;
    const bool isPassedOver = look->kind() == EventKind::Branch || look->kind() == EventKind::Value;
    if (isPassedOver && behind < kMaxEventsOfALook) continue;
    const bool isLook = look->kind() == EventKind::Load && look->site() == site && look->width() == bytes &&
                        look->space() != kNoSpace;
    if (!isLook) return nullptr;
    return addressOf(*look) == address ? look : nullptr;
  }
  return nullptr;
}

void BlockRunner::lookAgain(U32 site, std::uintptr_t address, U32 bytes) {
  HostThread& thread = *running;
  Event* const last = bytes <= kMaxBytes ? lastLook(site, address, bytes) : nullptr;
  if (last == nullptr) {
    thread.vainLooks = 0;
    if (end - next <= std::ptrdiff_t(kMaxEventsOfALook) + 1) logFull();  // the next look is in the same turn
    return;
  }
  const U64 found = last->value;
  next = last;
  if (bitsAt(address, bytes) != found) {
    thread.vainLooks = 0;
    return;
  }
  ++thread.vainLooks;
  thread.waited = {.address = address,
                   .bits = found,
                   .bytes = bytes,
                   .since = thread.events + U32(next - turnStart_),
                   .site = site};
  waited_.push_back(thread.waited);
  yieldTurn();
}

void waitForChange(U32 site, const volatile void* pointer, U32 bytes) {
  BlockRunner::current().lookAgain(site, reinterpret_cast<std::uintptr_t>(pointer), bytes);
}

// No other block can go on, and all threads of this one that can have looked in vain for long. True: the
// block ends.
bool BlockRunner::isStuckLooking() {
  if (isCancelled()) {
    outcome_ = BlockOutcome::Cancelled;
    return true;
  }
  if (restsAtWork_ || !waits()) return false;
  const auto stuck = std::ranges::find_if(threads_, [&](const HostThread& thread) {
    return (warpOf(thread).resting >> thread.lane & 1) != 0 && thread.vainLooks >= kMaxVainLooks;
  });
  if (stuck == threads_.end()) return false;
  reportVainLooks(*stuck);
  outcome_ = BlockOutcome::Stopped;
  return true;
}

void BlockRunner::reportVainLooks(const HostThread& thread) {
  std::string place = "memory";
  for (U32 b = 0; b < bufferCount; ++b) {
    const U64 offset = thread.waited.address - buffers[b].base;
    if (offset < buffers[b].bytes && b < launch_.bufferNames.size())
      place = launch_.bufferNames[b] + "[" + figure(offset / thread.waited.bytes) + "]";
  }
  report(ProblemKind::Deadlock,
         threadName(thread.thread) + " waits for a store to " + place +
             " that no block makes which has begun: nobody can go on. Let a block store there that waits for "
             "nobody, or end the loop.",
         int(thread.waited.site), thread.thread);
}

// Nobody can go on but those that rest. True: the block pauses, or cannot go on.
bool BlockRunner::pausesWhileResting() {
  if (pauses_ == Pauses::Never) return isStuckLooking();
  if (restsAtWork_ || !waits()) waited_.clear();
  if (waited_.empty() && pauses_ == Pauses::AtWaits) return false;
  outcome_ = BlockOutcome::Paused;
  return true;
}

bool BlockRunner::waits() const {
  if (isAtClusterBarrier_) return waitsForCluster();
  return !waited_.empty() && std::ranges::all_of(waited_, [](const WaitedPlace& place) {
    return bitsAt(place.address, place.bytes) == place.bits;
  });
}

}  // namespace recording
