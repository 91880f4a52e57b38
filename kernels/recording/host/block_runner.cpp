#include "recording/host/block_runner.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace recording {

using stridescope::ProblemKind;

namespace {

constexpr U32 kLanes = 32;

U32 lanesOfWarp(U32 warp, U32 threads) {
  const U32 count = std::min(kLanes, threads - warp * kLanes);
  return count == kLanes ? 0xffffffffu : (1u << count) - 1;
}

std::string withThousands(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace

BlockRunner::BlockRunner() = default;

BlockRunner::~BlockRunner() { releaseShared(); }

std::string BlockRunner::begin(const HostLaunch& launch) {
  launch_ = launch;
  mainStack_ = stackOfThisThread();
  problems_.clear();
  threadCount_ = launch.block.x * launch.block.y * launch.block.z;
  if (threadCount_ == 0 || threadCount_ > kMaxThreads)
    return "A block of " + std::to_string(threadCount_) + " threads cannot be run: 1 to 1024 can.";
  if (launch.dynamicSharedBytes > kMaxSharedBytes)
    return "A block with " + withThousands(launch.dynamicSharedBytes) +
           " bytes of dynamic shared memory cannot be run: at most " + withThousands(kMaxSharedBytes) +
           " can.";
  if (!stacks_.reserve(threadCount_))
    return "The stacks of the threads could not be allocated: out of memory.";
  if (!reserveShared()) return "Shared memory could not be allocated: out of memory.";
  gridShape = launch.grid;
  blockShape = launch.block;
  dynamicSharedBytes = launch.dynamicSharedBytes;
  bufferCount = U32(std::min<std::size_t>(launch.buffers.size(), kMaxBuffers));
  std::copy_n(launch.buffers.begin(), bufferCount, buffers);
  threads_.resize(threadCount_);
  warps_.resize((threadCount_ + kLanes - 1) / kLanes);
  return {};
}

BlockOutcome BlockRunner::run(std::uint64_t block, bool recorded) {
  block_ = block;
  recording_ = recorded;
  outcome_ = BlockOutcome::Finished;
  const std::uint64_t row = block / gridShape.x;
  blockIndex = dim3(unsigned(block % gridShape.x), unsigned(row % gridShape.y), unsigned(row / gridShape.y));
  forgetArrays();
  if (recorded) {
    copiedBytes_ = 0;
    cut_ = false;
    barrierCopies_.clear();
    copied_.clear();
    const std::uint64_t room = std::min<std::uint64_t>(launch_.traceBytes / sizeof(Event), 0xffffffffu);
    if (!log_.reset(std::max<std::uint64_t>(room, 1))) {
      report(ProblemKind::Limit, "The trace could not be allocated: out of memory.", -1, 0);
      return BlockOutcome::Stopped;
    }
    logEnd_ = log_.begin();
  }
  prepareThreads();

  Machine* const outer = std::exchange(machine, static_cast<Machine*>(this));
  running = &main_;
  switchTo(threads_[0]);
  machine = outer;
  return outcome_;
}

void BlockRunner::prepareThreads() {
  liveThreads_ = threadCount_;
  arrived_ = predicates_ = 0;
  currentWarp_ = 0;
  for (U32 warp = 0; warp < warps_.size(); ++warp) {
    const U32 lanes = lanesOfWarp(warp, threadCount_);
    warps_[warp] = {.runnable = lanes, .live = lanes};
  }
  readyWarps_ = lanesOfWarp(0, U32(warps_.size()));
  for (U32 t = 0; t < threadCount_; ++t) {
    const U32 row = t / blockShape.x;
    threads_[t] = {.context = stacks_.makeContext(t, arrive),
                   .threadIndex = dim3(t % blockShape.x, row % blockShape.y, row / blockShape.y),
                   .thread = t,
                   .lane = t % kLanes,
                   .lastTurn = BlockLog::kNoTurn,
                   .request = {}};
  }
}

void BlockRunner::arrive(boost::context::detail::transfer_t transfer) {
  arriveOnFiber(transfer);
  BlockRunner& runner = current();
  runner.launch_.kernel(runner.launch_.arguments);
  runner.finishThread();
}

// ---- Turns.

void BlockRunner::startTurn(HostThread& thread) {
  running = &thread;
  if (recording_) {
    next = logEnd_;
    thread.lastTurn = log_.startTurn(thread.thread, next, thread.lastTurn);
  } else {
    next = scratch_.data();
  }
  turnStart_ = next;
  const std::uint64_t room = recording_ ? std::uint64_t(log_.end() - next) : std::uint64_t(scratch_.size());
  // One more than the limit: a thread that makes exactly as many is not stopped.
  const std::uint64_t allowed = launch_.eventsPerThread + 1 - thread.events;
  end = next + std::min({room, allowed, std::uint64_t(kTurnEvents)});
}

void BlockRunner::endTurn() {
  running->events += U32(next - turnStart_);
  if (recording_) logEnd_ = next;
}

void BlockRunner::switchTo(HostThread& thread) {
  HostThread& from = *running;
  if (&from != &main_) endTurn();
  if (&thread == &main_) {
    running = &main_;
    switchFiber(from, main_, mainStack_);
  } else {
    startTurn(thread);
    switchFiber(from, thread, stacks_.boundsOf(thread.thread));
  }
}

// The log of the turn is full: the thread has made too many events, the trace is too large, or it is time
// for the others.
void BlockRunner::logFull() {
  if (isCancelled()) stop(BlockOutcome::Cancelled);
  HostThread& thread = *running;
  if (thread.events + std::uint64_t(next - turnStart_) > launch_.eventsPerThread) {
    report(ProblemKind::Limit,
           threadName(thread.thread) + " made more than " + withThousands(launch_.eventsPerThread) +
               " events and was stopped. Check that its loops end, or take fewer elements.",
           -1, thread.thread);
    cut_ = cut_ || recording_;
    stop(BlockOutcome::Stopped);
  }
  if (recording_ && next == log_.end()) {
    report(ProblemKind::Limit,
           "The trace reached " + withThousands(launch_.traceBytes) + " bytes in " +
               threadName(thread.thread) + " and was cut. Take a smaller block or fewer elements.",
           -1, thread.thread);
    cut_ = true;
    stop(BlockOutcome::Stopped);
  }
  yieldTurn();
}

// The running thread could go on, but lets the next one that can.
void BlockRunner::yieldTurn() {
  HostThread& thread = *running;
  const U32 warp = thread.thread / kLanes;
  const U32 above = thread.lane == 31 ? 0 : warps_[warp].runnable >> (thread.lane + 1) << (thread.lane + 1);
  HostThread* to = nullptr;
  if (above != 0) {
    to = &threads_[warp * kLanes + U32(std::countr_zero(above))];
  } else {
    const U32 others = readyWarps_ & ~(1u << warp);
    if (others != 0)
      currentWarp_ = (warp + 1 + U32(std::countr_zero(std::rotr(others, int(warp + 1))))) % kLanes;
    to = pickNext();  // the running thread itself if there is no other
  }
  if (to == &thread) {
    endTurn();
    startTurn(thread);
  } else {
    switchTo(*to);
  }
}

// The running thread cannot go on: another one does.
void BlockRunner::resumeAnother() {
  HostThread* const to = pickNext();
  if (to == running) {  // it was the last that its barrier waited for
    endTurn();
    startTurn(*to);
  } else {
    switchTo(*to);
  }
}

// Who goes on: the lowest lane of the current warp that can, else of the next warp. When nobody can, the
// block barrier completes; if not all are there, the block has ended, or hangs. Another schedule would choose
// here and set the length of turns in startTurn().
HostThread* BlockRunner::pickNext() {
  for (;;) {
    Warp& warp = warps_[currentWarp_];
    if (warp.runnable != 0) return &threads_[currentWarp_ * kLanes + U32(std::countr_zero(warp.runnable))];
    if (warp.asking != 0) {
      answerAsking(warp);
      continue;
    }
    readyWarps_ &= ~(1u << currentWarp_);
    if (readyWarps_ != 0) {
      currentWarp_ =
          (currentWarp_ + U32(std::countr_zero(std::rotr(readyWarps_, int(currentWarp_))))) % kLanes;
      continue;
    }
    if (liveThreads_ == 0) return &main_;
    if (arrived_ != liveThreads_) {
      reportDeadlock();
      outcome_ = BlockOutcome::Stopped;
      return &main_;
    }
    if (isCancelled()) {
      outcome_ = BlockOutcome::Cancelled;
      return &main_;
    }
    releaseBlockBarrier();
    if (outcome_ != BlockOutcome::Finished) return &main_;
  }
}

// Ends the block at once: the other threads are left where they are.
void BlockRunner::stop(BlockOutcome outcome) {
  outcome_ = outcome;
  switchTo(main_);
  __builtin_unreachable();
}

void BlockRunner::finishThread() {
  HostThread& thread = *running;
  Warp& warp = warpOf(thread);
  warp.runnable &= ~(1u << thread.lane);
  warp.live &= ~(1u << thread.lane);
  --liveThreads_;
  if (warp.meeting != 0) completeMeetingsAfterReturn(thread.thread / kLanes);
  switchTo(*pickNext());
  __builtin_unreachable();
}

BlockRecord BlockRunner::takeRecord() {
  BlockRecord record;
  auto gathered = log_.gather(threadCount_, logEnd_, launch_.eventsPerThread);
  record.events = std::move(gathered.events);
  record.first = std::move(gathered.first);
  for (const MemoryRange& array : arrays) record.sharedBytes.push_back(array.bytes);
  while (!record.sharedBytes.empty() && record.sharedBytes.back() == 0) record.sharedBytes.pop_back();
  for (const auto& copy : barrierCopies_) record.barrierCopies.push_back(withAllArrays(copy));
  record.copied = std::move(copied_);
  std::ranges::stable_sort(record.copied, {},
                           [](const auto& word) { return std::pair(word.thread, word.barrier); });
  record.cut = cut_;
  return record;
}

// ---- Problems.

std::string BlockRunner::threadName(U32 thread) const {
  std::string name = "Thread " + std::to_string(thread);
  if (!recording_) name += " of block " + std::to_string(block_);
  return name;
}

// One problem of a kind and site is enough: the others would say the same of other threads.
void BlockRunner::report(ProblemKind kind, std::string text, int site, U32 thread) {
  const bool known = std::ranges::any_of(
      problems_, [&](const auto& problem) { return problem.kind == kind && problem.site == site; });
  if (known || problems_.size() >= kMaxProblems) return;
  problems_.push_back({kind, std::move(text), site, thread});
}

void logIsFull() { BlockRunner::current().logFull(); }

}  // namespace recording
