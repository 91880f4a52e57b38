#include "engine/host/executor/block_runner.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/numbers.h"
#include "turns.h"

namespace recording {

using stridescope::figure;
using stridescope::model::ProblemKind;

namespace {

U32 lanesOfWarp(U32 warp, U32 threads) {
  const U32 count = std::min(kLanes, threads - warp * kLanes);
  return count == kLanes ? 0xffffffffu : (1u << count) - 1;
}

}  // namespace

BlockRunner::BlockRunner() {
#if defined(__SANITIZE_ADDRESS__)
  stackOfThisThread();  // a process that runs blocks may be one that can read no file by then
#endif
}

BlockRunner::~BlockRunner() { releaseShared(); }

std::string BlockRunner::begin(const HostLaunch& launch) {
  launch_ = launch;
  problems_ = &ownProblems_;
  problems_->clear();
  arrivals_ = &ownArrivals_;
  arrivals_->clear();
  clusters_ = &ownClusters_;
  clusters_->clear();
  return reserve();
}

std::string BlockRunner::beginBeside(BlockRunner& first) {
  launch_ = first.launch_;
  problems_ = first.problems_;
  arrivals_ = first.arrivals_;
  clusters_ = first.clusters_;
  return reserve();
}

std::string BlockRunner::reserve() {
  const HostLaunch& launch = launch_;
#if defined(__SANITIZE_ADDRESS__)
  mainStack_ = stackOfThisThread();
#endif
  const std::uint64_t plane = std::uint64_t(launch.block.x) * launch.block.y;
  const std::uint64_t threads = plane > kMaxThreads ? plane : plane * launch.block.z;
  if (threads == 0 || threads > kMaxThreads)
    return "A block of " + std::to_string(threads) + " threads cannot be run: 1 to 1024 can.";
  threadCount_ = U32(threads);
  if (launch.dynamicSharedBytes > kMaxSharedBytes)
    return "A block with " + figure(launch.dynamicSharedBytes) +
           " bytes of dynamic shared memory cannot be run: at most " + figure(kMaxSharedBytes) + " can.";
  if (!stacks_.reserve(threadCount_))
    return "The stacks of the threads could not be allocated: out of memory.";
  if (!reserveShared()) return "Shared memory could not be allocated: out of memory.";
  stepwise = launch.schedule != stridescope::model::Schedule::LaneByLane;
  gridShape = launch.grid;
  blockShape = launch.block;
  dynamicSharedBytes = launch.dynamicSharedBytes;
  deviceCount = std::clamp(launch.devices, 1u, kMaxDevices);
  bufferCount = U32(std::min<std::size_t>(launch.buffers.size(), kMaxBuffers * deviceCount));
  std::copy_n(launch.buffers.begin(), bufferCount, buffers);
  threads_.resize(threadCount_);
  warps_.resize((threadCount_ + kLanes - 1) / kLanes);
  return {};
}

BlockOutcome BlockRunner::run(std::uint64_t block, bool recorded, Pauses pauses) {
  block_ = block;
  inspected_ = recording_ = keepsEvents = recorded;
  outcome_ = BlockOutcome::Finished;
  pauses_ = pauses;
  cameToJoin_ = false;
  const std::uint64_t ofDevice = std::uint64_t(gridShape.x) * gridShape.y * gridShape.z;
  device_ = deviceCount == 1 ? 0 : unsigned(block / ofDevice);
  const std::uint64_t inGrid = block - device_ * ofDevice, row = inGrid / gridShape.x;
  blockIndex = dim3(unsigned(inGrid % gridShape.x), unsigned(row % gridShape.y), unsigned(row / gridShape.y));
  forgetArrays();
  beginPlacedShared();
  enterCluster();
  if (recorded) {
    copiedBytes_ = 0;
    remote_.clear();
    cut_ = false;
    barrierCopies_.clear();
    copied_.clear();
    kept_.clear();
    const std::uint64_t room = std::min<std::uint64_t>(launch_.traceBytes / sizeof(Event), 0xffffffffu);
    if (!log_.reset(std::max<std::uint64_t>(room, 1))) return BlockOutcome::NoMemory;
    logEnd_ = log_.begin();
  }
  prepareThreads();
  return goOnWith(threads_[0]);
}

BlockOutcome BlockRunner::resume(Pauses pauses) {
  outcome_ = BlockOutcome::Finished;
  pauses_ = pauses;
  if (anyResting_) wakeResting();
  HostThread& thread = pickNext();
  return &thread == &main_ ? outcome_ : goOnWith(thread);
}

BlockOutcome BlockRunner::goOnWith(HostThread& thread) {
  bringPlacedShared();
  startTurn(thread);
  Machine* const outer = std::exchange(machine, static_cast<Machine*>(this));
  main_.context = stacks_.ownContext();
  leaveFor(main_, thread);
  machine = outer;
  if (outcome_ == BlockOutcome::Paused)
    takePlacedShared();
  else
    leaveCluster();
  return outcome_;
}

void BlockRunner::prepareThreads() {
  liveThreads_ = threadCount_;
  anyResting_ = restsAtWork_ = false;
  waited_.clear();
  arrived_ = predicates_ = 0;
  isClusterBarrier_ = isAtClusterBarrier_ = false;
  currentWarp_ = 0;
  prepareSchedule();
  for (U32 warp = 0; warp < warps_.size(); ++warp) {
    const U32 lanes = lanesOfWarp(warp, threadCount_);
    warps_[warp] = {.runnable = lanes, .live = lanes};
  }
  readyWarps_ = lanesOfWarp(0, U32(warps_.size()));
  for (U32 t = 0; t < threadCount_; ++t) {
    const U32 row = t / blockShape.x;
    threads_[t] = {.context = stacks_.makeContext(t),
                   .threadIndex = dim3(t % blockShape.x, row % blockShape.y, row / blockShape.y),
                   .thread = t,
                   .lane = t % kLanes,
                   .lastTurn = BlockLog::kNoTurn,
                   .request = {},
                   .waited = {}};
  }
}

void runFiber() {
  BlockRunner& runner = BlockRunner::current();
  try {
    const auto& ofDevices = runner.launch_.argumentsOfDevices;
    runner.launch_.kernel(ofDevices.empty() ? runner.launch_.arguments : ofDevices[runner.device_]);
    runner.finishThread();
  } catch (const std::bad_alloc&) {  // its handler must end before the stack is left for good
  }
  runner.stop(BlockOutcome::NoMemory);
}

// ---- Turns.

// The log of the turn is full: the thread has made too many events, the trace is too large, or it is time
// for the others.
void BlockRunner::logFull() {
  if (isCancelled()) stop(BlockOutcome::Cancelled);
  HostThread& thread = *running;
  const bool waits = pauses_ != Pauses::Never && !stepwise && isWaitingTurn();
  const bool madeTooMany = thread.events + std::uint64_t(next - turnStart_) > eventLimit(thread);
  const bool isRecordedOnly = eventLimit(thread) < endlessAfter(thread);
  if (madeTooMany && !isRecordedOnly) {
    // That its record ended earlier is no news of a block that does not end.
    std::erase_if(*problems_, [](const auto& problem) { return problem.kind == ProblemKind::Limit; });
    report(ProblemKind::Limit,
           threadName(thread.thread) + " made more than " + figure(launch_.eventsPerThread) +
               " events and was stopped. Check that its loops end, or take fewer elements.",
           -1, thread.thread);
    cut_ = cut_ || recording_;
    stop(BlockOutcome::Stopped);
  }
  // The strings are gone before the stack is left, perhaps for good.
  if (madeTooMany) {
    stopRecording(threadName(thread.thread) + " made more than " + figure(eventLimit(thread)) + " events");
  } else if (recording_ && next == log_.end()) {
    traceFull();
    if (!launch_.goesOnUnrecorded) stop(BlockOutcome::Stopped);
  }
  restsAtWork_ = restsAtWork_ || !waits;
  yieldTurn();
}

void BlockRunner::traceFull() {
  const HostThread& thread = *running;
  const std::string reached =
      "The trace reached " + figure(launch_.traceBytes) + " bytes in " + threadName(thread.thread);
  if (launch_.goesOnUnrecorded) return stopRecording(reached);
  report(ProblemKind::Limit, reached + " and was cut. Take fewer elements.", -1, thread.thread);
  cut_ = true;
}

// The block goes on, and what it does is not recorded from here on. The running thread's turn goes on, too.
void BlockRunner::stopRecording(std::string whatIsFull) {
  report(ProblemKind::Limit,
         whatIsFull +
             "; what the block does from there on is not recorded. Take fewer elements to see all of it.",
         -1, running->thread);
  cut_ = true;
  endTurn();
  for (const HostThread& thread : threads_)  // one that is over the limit has made one more
    kept_.push_back(std::uint32_t(std::min<std::uint64_t>(thread.events, eventLimit(thread))));
  recording_ = false;
  turnStart_ = next = scratch_.data();
  end = next + std::min<std::uint64_t>(eventLimit(*running) + 1 - running->events, kTurnEvents);
}

// The running thread could go on, but rests until nobody else can.
void BlockRunner::yieldTurn() {
  HostThread& thread = *running;
  Warp& warp = warpOf(thread);
  warp.runnable &= ~(1u << thread.lane);
  warp.resting |= 1u << thread.lane;
  anyResting_ = true;
  leaveFor(thread, handOver(pickNext()));
}

void BlockRunner::wakeResting() {
  anyResting_ = restsAtWork_ = false;
  waited_.clear();
  for (U32 index = 0; index < warps_.size(); ++index) {
    Warp& warp = warps_[index];
    if (warp.resting != 0) readyWarps_ |= 1u << index;
    warp.runnable |= warp.resting;
    warp.resting = 0;
  }
}

// The current warp has no lane that can go on: the next warp that has one. When none has, those that rest go
// on; when none rests, the block barrier completes; if not all threads are there, the block has ended, or
// hangs.
HostThread& BlockRunner::pickInAnotherWarp() {
  for (;;) {
    Warp& warp = warps_[currentWarp_];
    if (warp.runnable != 0) return lowestRunnable();
    if (warp.asking != 0 && warp.resting == 0) {
      answerAsking(warp);
      continue;
    }
    readyWarps_ &= ~(1u << currentWarp_);
    if (readyWarps_ != 0) {
      currentWarp_ =
          (currentWarp_ + U32(std::countr_zero(std::rotr(readyWarps_, int(currentWarp_))))) % kLanes;
      continue;
    }
    if (anyResting_) {
      if (pausesWhileResting()) return main_;
      wakeResting();
      continue;
    }
    if (liveThreads_ == 0) return main_;
    if (arrived_ != liveThreads_) {
      reportDeadlock();
      outcome_ = BlockOutcome::Stopped;
      return main_;
    }
    if (isCancelled()) {
      outcome_ = BlockOutcome::Cancelled;
      return main_;
    }
    if (isClusterBarrier_ && !passesClusterBarrier()) return main_;
    releaseBlockBarrier();
    if (outcome_ == BlockOutcome::Finished && pauses_ == Pauses::AtBarriers) outcome_ = BlockOutcome::Paused;
    if (outcome_ != BlockOutcome::Finished) return main_;
  }
}

// Ends the block at once: the other threads are left where they are.
void BlockRunner::stop(BlockOutcome outcome) {
  outcome_ = outcome;
  HostThread& thread = *running;
  leaveFor(thread, handOver(main_));
  std::abort();  // nobody comes back to it
}

void BlockRunner::finishThread() {
  HostThread& thread = *running;
  Warp& warp = warpOf(thread);
  warp.runnable &= ~(1u << thread.lane);
  warp.live &= ~(1u << thread.lane);
  --liveThreads_;
  if (warp.meeting != 0) completeMeetingsAfterReturn(thread.thread / kLanes);
  leaveFor(thread, handOver(pickNext()));
  std::abort();  // nobody comes back to it
}

BlockRecord BlockRunner::takeRecord() {
  BlockRecord record;
  std::vector<std::uint32_t> kept = kept_;
  for (std::size_t t = kept.size(); t < threads_.size(); ++t)  // a thread over its limit has made one more
    kept.push_back(std::uint32_t(std::min<std::uint64_t>(threads_[t].events, endlessAfter(threads_[t]))));
  auto gathered = log_.gather(kept, logEnd_);
  record.events = std::move(gathered.events);
  record.first = std::move(gathered.first);
  for (const MemoryRange& array : arrays) record.sharedBytes.push_back(array.bytes);
  while (!record.sharedBytes.empty() && record.sharedBytes.back() == 0) record.sharedBytes.pop_back();
  for (const auto& copy : barrierCopies_) record.barrierCopies.push_back(withAllArrays(copy));
  record.copied = std::move(copied_);
  record.remote = std::move(remote_);
  std::ranges::stable_sort(record.copied, {},
                           [](const auto& word) { return std::pair(word.thread, word.barrier); });
  record.cut = cut_;
  return record;
}

// ---- Problems.

std::string BlockRunner::threadName(U32 thread) const {
  std::string name = "Thread " + std::to_string(thread);
  if (deviceCount > 1) {
    name += " of GPU " + std::to_string(device_);
    const std::uint64_t ofDevice = std::uint64_t(gridShape.x) * gridShape.y * gridShape.z;
    if (!inspected_) name += ", block " + figure(block_ % ofDevice) + " there";
  } else if (!inspected_) {
    name += " of block " + figure(block_);
  }
  return name;
}

// One problem of a kind and site is enough: the others would say the same of other threads.
void BlockRunner::report(ProblemKind kind, std::string text, int site, U32 thread) {
  const bool known = std::ranges::any_of(
      *problems_, [&](const auto& problem) { return problem.kind == kind && problem.site == site; });
  if (known || problems_->size() >= kMaxProblems) return;
  problems_->push_back({kind, std::move(text), site, thread});
}

void failThread(std::string does, int site) {
  BlockRunner& runner = BlockRunner::current();
  {
    const std::string text = runner.threadName(runner.running->thread) + " " + std::move(does);
    runner.report(ProblemKind::Crash, text, site, runner.running->thread);
  }  // the strings are gone before the stack is left for good
  std::string().swap(does);
  runner.stop(BlockOutcome::Stopped);
  std::abort();  // stop() does not return
}

StackBounds stackOfRunningThread() {
  BlockRunner& runner = BlockRunner::current();
  return runner.stackOf(*runner.running);
}

U32 eventsOfRunningThread() {
  const BlockRunner& runner = BlockRunner::current();
  return runner.running->events + U32(runner.next - runner.turnStart_);
}

StackBounds BlockRunner::stackOf(const HostThread& thread) const {
  return &thread == &main_ ? mainStack_ : stacks_.boundsOf(thread.thread);
}

#if defined(__SANITIZE_ADDRESS__)
void leaveFor(HostThread& from, HostThread& to) {
  if (&from != &to) switchFiber(from, to, BlockRunner::current().stackOf(to));
}
#endif

void logIsFull() { BlockRunner::current().logFull(); }

BlockLog::~BlockLog() {
  if (memory_ != nullptr) munmap(memory_, mapped_ * sizeof(Event));
}

bool BlockLog::reset(std::uint64_t events) {
  turns_.clear();
  room_ = events;
  if (events <= mapped_) return true;
  if (memory_ != nullptr) munmap(memory_, mapped_ * sizeof(Event));
  memory_ = nullptr;
  mapped_ = 0;
  // Pages are taken when they are first written: a large limit costs nothing to a short kernel.
  void* const memory = mmap(nullptr, events * sizeof(Event), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = static_cast<Event*>(memory);
  mapped_ = events;
  return true;
}

BlockLog::Gathered BlockLog::gather(std::span<const std::uint32_t> kept, const Event* logEnd) const {
  const std::size_t threads = kept.size();
  Gathered gathered;
  gathered.first.resize(threads + 1, 0);
  for (std::size_t t = 0; t < threads; ++t) gathered.first[t + 1] = gathered.first[t] + kept[t];
  gathered.events.resize(gathered.first[threads]);

  // Events are copied turn after turn: reading is sequential, and writing goes to one place per thread, which
  // is fetched early.
  constexpr std::size_t kAhead = 8;
  Event* const events = gathered.events.data();
  std::vector<std::uint32_t> cursor(gathered.first.begin(), gathered.first.end() - 1);
  for (std::size_t turn = 0; turn < turns_.size(); ++turn) {
    if (turn + kAhead < turns_.size()) __builtin_prefetch(events + cursor[turns_[turn + kAhead].thread], 1);
    const U32 thread = turns_[turn].thread;
    const Event* event = memory_ + turns_[turn].first;
    std::uint32_t at = cursor[thread];
    const auto room = std::ptrdiff_t(gathered.first[thread + 1] - at);
    const Event* const end = event + std::min(endOf(U32(turn), logEnd) - event, room);
    while (event != end) events[at++] = *event++;
    cursor[thread] = at;
  }
  return gathered;
}

}  // namespace recording
