// Runs a block of a launch at a time on the calling OS thread: a fiber for each CUDA thread. Which block is
// next, and which goes on where several have begun, is grid_runner.h's.
//
// Every schedule is deterministic: the same launch gives the same trace. An atomic is one step in all of
// them, a[i] += x is two.
// - Lane by lane: warp after warp, in a warp lane after lane, each lane until it has to wait (at a barrier,
//   in a warp operation) or returns. The fastest. A thread that makes kTurnEvents events without waiting lets
//   the others go on, so that one that spins until another writes does end.
// - Warp by warp: warp after warp, each until all of its lanes wait or have returned; but the lanes of the
//   warp advance together, access by access, as they did before Volta. If lanes stand at different places,
//   those earliest in the text go first, so that the lanes come together again after a branch.
// - Lockstep: the lanes of a warp advance in that same way, and the warps take turns: an access each.
// - Random: before every access any thread that can goes on, drawn by the launch's seed.
// Lanes that wait for kApartSteps steps while others of their warp go round in front of them go one step; and
// after kTurnEvents steps in which no lane comes to wait, returns or is let go, the other warps go too: so
// that what spins ends in these as well.
//
// What a kernel does wrong becomes a Problem, and the block is stopped where it cannot go on: an access out
// of bounds, threads that wait for one another, too many events. Nothing of the program is written.
// What is recorded may end before the block does (HostLaunch::goesOnUnrecorded), and a Problem says so, too.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/host/executor/fibers.h"
#include "model/experiment.h"
#include "model/remote_acts.h"
#include "model/trace.h"
#include "recording/event.h"
#include "recording/host/machine.h"

namespace recording {

// The log of one recorded block. Threads take turns, and each turn's events follow those of the turn before:
// writing is sequential whoever runs, and threads are told apart afterwards.

class BlockLog {
 public:
  BlockLog() = default;
  ~BlockLog();
  BlockLog(const BlockLog&) = delete;
  BlockLog& operator=(const BlockLog&) = delete;

  // Empties the log and gives it room for `events` events. False if the system gives no memory.
  bool reset(std::uint64_t events);

  Event* begin() const { return memory_; }
  Event* end() const { return memory_ + room_; }

  // A turn of `thread` starts at `at`; returns its number. `previous`: the number of the thread's turn
  // before, kNoTurn for its first.
  U32 startTurn(U32 thread, const Event* at, U32 previous) {
    turns_.push_back({thread, U32(at - memory_), previous});
    return U32(turns_.size() - 1);
  }
  static constexpr U32 kNoTurn = 0xffffffffu;

  // The events of a thread, its last one first, as long as visit(event) is true. `last` is the number of its
  // last turn, `logEnd` the end of all events.
  template <class Visit>
  void backwards(U32 last, const Event* logEnd, Visit visit) const {
    for (U32 turn = last; turn != kNoTurn; turn = turns_[turn].previous) {
      const Event* const first = memory_ + turns_[turn].first;
      for (const Event* event = endOf(turn, logEnd); event != first;)
        if (!visit(*--event)) return;
    }
  }

  // The events thread after thread: those of thread t are events[first[t]] .. events[first[t + 1]]. Thread t
  // has its first kept[t] events here, which are all or fewer.
  struct Gathered {
    std::vector<Event> events;
    std::vector<std::uint32_t> first;
  };
  Gathered gather(std::span<const std::uint32_t> kept, const Event* logEnd) const;

 private:
  struct Turn {
    U32 thread = 0;
    U32 first = 0;  // index of its first event
    U32 previous = kNoTurn;
  };
  const Event* endOf(U32 turn, const Event* logEnd) const {
    return turn + 1 < turns_.size() ? memory_ + turns_[turn + 1].first : logEnd;
  }

  Event* memory_ = nullptr;
  std::uint64_t room_ = 0, mapped_ = 0;
  std::vector<Turn> turns_;
};

static_assert(kMaxDevices == stridescope::model::kMaxGpus);
inline constexpr unsigned kMaxThreads = 1024;                 // per block
inline constexpr std::uint64_t kMaxSharedBytes = 227 * 1024;  // per block, as on sm_90
inline constexpr unsigned kTurnEvents = 4096;
inline constexpr unsigned kApartSteps = 256;

struct HostLaunch {
  dim3 grid, block;      // the grid of each device
  unsigned cluster = 1;  // blocks of a cluster, of which the grid is a multiple; 1: there are none
  std::uint64_t dynamicSharedBytes = 0;
  void (*kernel)(void** arguments) = nullptr;  // as KernelCall::call
  void** arguments = nullptr;
  std::vector<MemoryRange> buffers;      // at most kMaxBuffers; the only memory the kernel may touch
  std::vector<std::string> bufferNames;  // for the sentences of problems
  // Simulated devices, at most kMaxDevices: `buffers` and `bufferNames` have a copy of each buffer for each
  // of them, of one size, one buffer's copies after the other's. Blocks count one device after the other.
  unsigned devices = 1;
  std::vector<void**> argumentsOfDevices;  // in place of `arguments`, where there are several
  std::vector<std::string> sharedNames;
  // What is known of a shared array beside its name, for the same sentences: its shape, and its elements'
  // members. Empty: nothing is.
  std::function<stridescope::model::Array(U32 array)> sharedArray = {};
  // Shared arrays that stand where the compiler put them: one after the other they are the block's first. A
  // block that pauses takes what they hold with it.
  std::vector<MemoryRange> placedShared;
  // The variables of the kernel's module, by address, and the parts of it that hold nothing else: what lies
  // there in none of them is out of bounds.
  std::vector<MemoryRange> moduleVariables, moduleData;
  std::vector<std::string> moduleNames;
  std::uint64_t eventsPerThread = 1u << 16;  // a thread that makes more is stopped
  std::uint64_t traceBytes = 64ull << 20;    // for the recorded events, and as much again for the snapshots
  // When what is recorded reaches a limit (traceBytes, or recordedPerThread events of a thread), the block
  // goes on, and the rest is not recorded. False: the block is stopped.
  bool goesOnUnrecorded = false;
  std::uint64_t recordedPerThread = ~0ull;    // with goesOnUnrecorded
  const std::atomic<bool>* cancel = nullptr;  // may be null
  stridescope::model::Schedule schedule = stridescope::model::Schedule::LaneByLane;
  std::uint64_t scheduleSeed = 1;  // for Schedule::Random
  // The buffer that joins the blocks, as an index into `buffers`; -1: there is none. Which blocks come there,
  // and in what order, is noted (BlockRunner::arrivals()).
  int joiningBuffer = -1;
  // Whether the access of a site is a load.
  std::function<bool(U32 site)> isLoad = {};
  // Where in the text a site stands, below 2^30; null: sites are numbered so.
  U32 (*positionOf)(U32 site) = nullptr;
};

enum class BlockOutcome {
  Finished,   // every thread has returned
  Stopped,    // it could not go on: see the problems
  Cancelled,  // by HostLaunch::cancel
  NoMemory,   // for what is recorded; the record is of no use
  Paused,     // others may go on before it does: see BlockRunner::resume()
};

// Where a block lets other blocks go on.
enum class Pauses : std::uint8_t {
  Never,       // it runs to its end
  AtWaits,     // where all of its threads that can go on wait for another block
  AtBarriers,  // there, where a block barrier completes, and where each thread that can go on has made
               // kTurnEvents events
};

// What the recorded block did; the parts mean what they mean in stridescope::LaunchTrace.
struct BlockRecord {
  std::vector<Event> events;
  std::vector<std::uint32_t> first;
  std::vector<std::uint64_t> sharedBytes;  // each shared array's, by number
  std::vector<std::vector<std::uint8_t>> barrierCopies;
  std::vector<stridescope::model::BlockTrace::CopiedWord> copied;
  std::vector<stridescope::model::RemoteAccess> remote;
  bool cut = false;
};

// The running thread reads so many bytes of a shared array, at that offset, and nobody has stored to all of
// them.
void reportUninitializedRead(U32 site, U32 array, U64 offset, U32 bytes);

// The running thread cannot go on, which ends the block: "Thread 3 " + `does`. `site`: -1 for none.
[[noreturn]] void failThread(std::string does, int site);
// Where its stack lies; below it is a page that may not be touched.
StackBounds stackOfRunningThread();
// How many events it has made.
U32 eventsOfRunningThread();

class BlockRunner : private Machine {
 public:
  BlockRunner();
  ~BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  // Makes ready for the blocks of a launch. An empty sentence, or what stands in the way.
  std::string begin(const HostLaunch& launch);

  // Makes ready for a block of the same launch that runs beside those of `first`, which outlives it and keeps
  // the problems of both. The sentence is as begin()'s.
  std::string beginBeside(BlockRunner& first);

  // Runs one block: `block` counts along x, then y, then z, then devices. Recorded: takeRecord() then gives
  // what it did.
  BlockOutcome run(std::uint64_t block, bool recorded, Pauses pauses = Pauses::Never);

  // Goes on with a block whose outcome was Paused. One that is never resumed may be left for good.
  BlockOutcome resume(Pauses pauses);

  // Whether all threads of a paused block wait for another block, and what they wait for is as it was.
  bool waits() const;

  BlockRecord takeRecord();

  // The problems of all blocks that ran since begin(), the oldest first; at most kMaxProblems.
  const std::vector<stridescope::model::Problem>& problems() const { return *problems_; }
  static constexpr std::size_t kMaxProblems = 32;

  // The blocks that came to HostLaunch::joiningBuffer since begin(), in their order; at most
  // model::kMaxArrivals. A block whose first access there is a load waits for the others, and is none of
  // them.
  const std::vector<stridescope::model::Arrival>& arrivals() const { return *arrivals_; }

 private:
  friend void logIsFull();
  friend U64 locateElsewhere(U32, const volatile void*, U32, U32);
  friend void* declareShared(U32, U64);
  friend HostThread& arriveAtBlockBarrier(U32, bool);
  friend HostThread& arriveAtClusterBarrier(U32);
  friend void* sharedOfRank(const volatile void*, U32);
  friend HostThread& arriveAtMeeting(const WarpRequest&);
  friend void leaveFor(HostThread&, HostThread&);
  friend U32 lanesTogether(U32);
  friend void letOthersGo(U32);
  friend void waitForChange(U32, const volatile void*, U32);
  friend void reportUninitializedRead(U32, U32, U64, U32);
  friend void failThread(std::string, int);
  friend StackBounds stackOfRunningThread();
  friend U32 eventsOfRunningThread();
  friend void runFiber();

  struct Warp {
    U32 runnable = 0;  // lanes that can go on
    U32 resting = 0;   // lanes that could too, and let others go first
    U32 live = 0;      // lanes that have not returned
    U32 meeting = 0;   // lanes that wait in a warp operation; live lanes of no other kind are at the block
                       // barrier
    U32 asking = 0;    // lanes that wait to learn who is with them (__activemask)
    U32 couldGo = 0;   // in a stepwise schedule: the runnable lanes at its last step, ...
    U32 steps = 0;     // ... how many steps they have been the same, ...
    U32 apart = 0;     // ... and for how many they have stood at different places
  };

  // The blocks of a cluster, those that have begun and not ended.
  struct Cluster {
    std::vector<BlockRunner*> blocks;  // by rank; null: it has not begun, or has ended
    unsigned arrived = 0, ended = 0;   // at its barrier; for good
    unsigned completed = 0;            // how often all that had not ended were at its barrier
  };

  // turns.h and block_runner.cpp: threads and turns
  static BlockRunner& current() { return static_cast<BlockRunner&>(*machine); }
  void prepareThreads();
  void startTurn(HostThread& thread);
  void endTurn();
  HostThread& handOver(HostThread& to);
  void yieldTurn();
  std::string reserve();
  BlockOutcome goOnWith(HostThread& thread);
  void wakeResting();
  HostThread& pickNext();
  HostThread& lowestRunnable();
  HostThread& pickInAnotherWarp();
  StackBounds stackOf(const HostThread& thread) const;
  // These two leave the running thread for good. The compiler is not told, because in a page a switch returns
  // from all functions of the fiber that is left.
  void stop(BlockOutcome outcome);
  void finishThread();
  void logFull();
  void traceFull();
  void stopRecording(std::string whatIsFull);
  std::uint64_t endlessAfter(const HostThread& thread) const {  // so many events
    return launch_.eventsPerThread + thread.forgiven;
  }
  std::uint64_t eventLimit(const HostThread& thread) const {
    const bool isShort = recording_ && launch_.goesOnUnrecorded;
    return isShort ? std::min(launch_.recordedPerThread, endlessAfter(thread)) : endlessAfter(thread);
  }
  bool isCancelled() const {
    return launch_.cancel != nullptr && launch_.cancel->load(std::memory_order_relaxed);
  }
  Warp& warpOf(const HostThread& thread) { return warps_[thread.thread / 32]; }

  // schedules.cpp: who goes on where threads may be interrupted at every access
  void prepareSchedule();
  void pauseBefore(U32 site, bool write);
  HostThread& pickStepwise();
  bool chooseStep();
  U32 lanesAtOnePlace(U32 warp, bool last) const;
  HostThread* pickAtRandom();

  // meetings.cpp: threads that wait for another block
  bool isWaitingTurn();
  bool isWaitingLook(std::uintptr_t address, U32 bytes);
  bool isWaitOver(const WaitedPlace& place) const;
  void noteWait(HostThread& thread);
  void lookAgain(U32 site, std::uintptr_t address, U32 bytes);
  Event* lastLook(U32 site, std::uintptr_t address, U32 bytes);
  bool pausesWhileResting();
  bool isStuckLooking();
  void reportVainLooks(const HostThread& thread);

  // meetings.cpp: barriers and warp operations
  HostThread& arriveAtBarrier(U32 site, bool predicate);
  void releaseBlockBarrier();
  void reportOtherBarrier(U32 site);
  void reportMissingThreads();
  HostThread& meet(const WarpRequest& request);
  bool completeMeeting(U32 warp, U32 mask);
  void checkSameSite(const HostThread* lanes, U32 present);
  void reportAbsentSource(const HostThread& thread);
  void completeMeetingsAfterReturn(U32 warp);
  bool withinCopyBudget(U64 bytes);
  void answerAsking(Warp& warp);
  void copyTouchedWords(const HostThread& thread);
  void reportDeadlock();

  // clusters.cpp: the blocks of a cluster
  void enterCluster();
  void leaveCluster();
  static void completeIfAllAreThere(Cluster& cluster);
  bool passesClusterBarrier();
  bool waitsForCluster() const { return isAtClusterBarrier_ && cluster_->completed == clusterTurn_; }
  void reportMissingBlocks();
  void* sharedOf(U32 rank, std::uintptr_t address);
  bool isRemote(U32 site, std::uintptr_t address, U32 bytes);

  // memory.cpp: shared arrays, and where an address lies
  bool reserveShared();
  void releaseShared();
  void forgetArrays();
  void* declareArray(U32 array, U64 bytes);
  void beginPlacedShared();
  void bringPlacedShared();
  void takePlacedShared();
  U64 placeOf(U32 site, std::uintptr_t address, U32 bytes, U32 alignment);
  U64 addressOf(const Event& access) const;
  void noteArrival(U32 site);
  bool isOutsideTheKernelsArrays(std::uintptr_t address) const;
  void reportMisaligned(U32 site, std::uintptr_t address, U32 bytes, U32 alignment);
  void reportOutOfBounds(U32 site, std::uintptr_t address, U32 bytes);
  void copyShared();
  struct SharedCopy {
    U32 declared = 0;                 // a bit for each array that was declared by then
    std::vector<std::uint8_t> bytes;  // those arrays' bytes, by number
  };
  std::vector<std::uint8_t> withAllArrays(const SharedCopy& copy) const;

  void report(stridescope::model::ProblemKind kind, std::string text, int site, U32 thread);
  std::string threadName(U32 thread) const;  // "Thread 33", or "Thread 33 of block 7" if that is not recorded

  HostLaunch launch_;
  FiberStacks stacks_;
  StackBounds mainStack_;  // for the address sanitizer alone
  BlockLog log_;
  std::array<Event, kTurnEvents> scratch_;  // takes the events of blocks that are not recorded
  std::vector<HostThread> threads_;
  HostThread main_;
  std::vector<Warp> warps_;
  Event* turnStart_ = nullptr;

  U32 threadCount_ = 0, liveThreads_ = 0;
  U32 currentWarp_ = 0;
  U32 step_ = 0;     // lanes of the current warp that have not yet made the current step
  U32 choices_ = 0;  // how many choices stepwise schedules made
  std::uint64_t random_ = 0;
  U32 readyWarps_ = 0;  // a bit for each warp that may have a runnable or asking lane
  U32 arrived_ = 0;     // at the block barrier ...
  U32 predicates_ = 0;  // ... with a predicate that held
  U32 barrierSite_ = 0, firstAtBarrier_ = 0;
  bool isClusterBarrier_ = false;     // the barrier that threads are at is the cluster's, ...
  bool isAtClusterBarrier_ = false;   // ... all threads of the block have come to it, ...
  unsigned clusterTurn_ = 0;          // ... when it had completed so often
  std::shared_ptr<Cluster> cluster_;  // the running block's; null: it has none
  std::uint64_t block_ = 0;
  unsigned device_ = 0;  // that runs it
  bool anyResting_ = false;
  Pauses pauses_ = Pauses::Never;
  bool restsAtWork_ = false;         // some of those that rest do not wait for another block
  std::vector<WaitedPlace> waited_;  // by those that rest and do
  bool inspected_ = false;           // the block is the one that is recorded ...
  bool recording_ = false;           // ... and it still is
  BlockOutcome outcome_ = BlockOutcome::Finished;

  std::uint8_t* shared_ = nullptr;  // all shared arrays, far enough apart to tell a miss from a hit
  U64 sharedUsed_ = 0;              // how much of it, gaps included
  std::vector<std::uint8_t>
      placedShared_;  // what the placed arrays held when the block paused; empty: it has not
  U64 copiedBytes_ = 0;
  std::vector<SharedCopy> barrierCopies_;
  std::vector<stridescope::model::BlockTrace::CopiedWord> copied_;
  std::vector<stridescope::model::RemoteAccess> remote_;
  Event* logEnd_ = nullptr;          // the recorded block's, once it has ended
  std::vector<std::uint32_t> kept_;  // events of each thread, where the block went on unrecorded; else empty
  bool cut_ = false;
  std::vector<stridescope::model::Problem> ownProblems_;
  std::vector<stridescope::model::Problem>* problems_ = &ownProblems_;  // of the launch
  std::map<std::uint64_t, std::shared_ptr<Cluster>> ownClusters_;       // by number, those that have begun
  std::map<std::uint64_t, std::shared_ptr<Cluster>>* clusters_ = &ownClusters_;  // of the launch
  bool cameToJoin_ = false;  // the block, to the joining buffer
  std::vector<stridescope::model::Arrival> ownArrivals_;
  std::vector<stridescope::model::Arrival>* arrivals_ = &ownArrivals_;  // of the launch
};

}  // namespace recording
