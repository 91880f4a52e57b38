// What the CPU executor keeps within reach of a kernel's text: the running thread, its log, and where the
// shared arrays and the buffers lie. One machine an OS thread; kernel code reaches it through `machine`.
//
// Text that is compiled at run time includes this header (through recording/host.h), so it stays small. The
// scheduling is in host/block_runner.h.
#pragma once

#include "recording/event.h"

// CUDA's vector of three, in the global namespace as in CUDA.
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

namespace recording {

// What lanes that wait for one another do when they have met.
enum class WarpAct : U8 {
  None,
  Barrier,
  Shuffle,
  Ballot,
  Any,
  All,
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  Combine,      // by the preamble's operator, lane after lane
  CombineGroup  // the same, by halves, as cg::reduce does
};

// What a lane that waits for other lanes asked for. Then `bits` is what it gets.
struct WarpRequest {
  U32 site = 0;
  U32 mask = 0;
  WarpAct act = WarpAct::None;
  U32 source = 0;  // a Shuffle's lane; how many lanes a CombineGroup's tile has
  U64 bits = 0;
  U64 (*fold)(U64, U64) = nullptr;  // for the Reduce acts
};

// Where in device memory a thread looks again and again, and what it finds there.
struct WaitedPlace {
  U64 address = 0;  // 0: nowhere
  U64 bits = 0;     // at most 8 bytes of what is there
  U32 bytes = 0;
  U32 since = 0;  // how many events the thread had made when it began
  U32 looks = 0;  // in a stepwise schedule: how often it found the same, one access after another
  U32 site = 0;   // of an atomic load
};

// One CUDA thread: a fiber with its place in the block. What every switch needs lies in one cache line.
struct alignas(64) HostThread {
  void* context = nullptr;  // where it goes on
  dim3 threadIndex;
  U32 thread = 0;  // in the block
  U32 lane = 0;    // in the warp
  U32 events = 0;  // logged in the turns before this one
  U32 lastTurn = 0;
  U32 warpBarriers = 0;  // that it has passed
  U32 position = 0;      // in a stepwise schedule: that of the access that it is about to make; 0: not at one
  U32 forgiven = 0;      // how many of its events it made while it waited for another block
  U32 vainLooks = 0;     // atomic loads one after another that found what the one before had found

  alignas(64) WarpRequest request;
  WaitedPlace waited;
};

constexpr U32 kMaxDevices = 8;  // of which each has a copy of each buffer

// Memory that accesses are held against, and recorded in.
struct MemoryRange {
  U64 base = 0;
  U64 bytes = 0;
};

struct Machine {
  HostThread* running = nullptr;

  // The log of the running turn: events go to *next; at `end` the machine is asked what now.
  Event* next = nullptr;
  Event* end = nullptr;

  MemoryRange arrays[kMaxSharedArrays];  // by number of declaration; 0 bytes until a thread declares it
  // arrays[0], whose accesses are recorded without asking the machine. In stepwise schedules 0 bytes, so that
  // every access asks.
  MemoryRange firstArray;
  bool stepwise = false;     // the schedule may let others go before any access
  bool keepsEvents = false;  // the block's events stay where they were written
  // Where each buffer lies; of several devices the copies of each buffer, which are of one size.
  MemoryRange buffers[kMaxBuffers * kMaxDevices];
  U32 bufferCount = 0;  // copies and all
  U32 deviceCount = 1;
  U64 dynamicSharedBytes = 0;

  dim3 blockIndex, blockShape, gridShape;
  U32 clusterSize = 1, clusterRank = 0;  // blocks of the cluster; the running block's place in it

  int barrierCount = 0;     // at the last block barrier that completed: threads whose predicate held ...
  bool barrierAll = false;  // ... and whether it held for all that came
};

inline constinit thread_local Machine* machine = nullptr;

// What kernel code asks of the machine, out of line. All act on `machine`.
void logIsFull();
// An Event's offset and space.
U64 locateElsewhere(U32 site, const volatile void* pointer, U32 bytes, U32 alignment);
void* declareShared(U32 array, U64 bytes);
void letOthersGo(U32 site);  // between the halves of an update
// Where the block of that rank in the running block's cluster has what lies at `pointer` in this one.
void* sharedOfRank(const volatile void* pointer, U32 rank);
// Before an atomic load, as core.h's lookAgain().
void waitForChange(U32 site, const volatile void* pointer, U32 bytes);
U32 lanesTogether(U32 site);  // for __activemask

// The running thread comes to the block barrier, or to a warp operation. Gives the thread that goes on, which
// may be itself: leaveFor() it. When it goes on again, the request's bits are the result: for a shuffle what
// the source lane gave, else the result for the warp.
HostThread& arriveAtBlockBarrier(U32 site, bool predicate);
HostThread& arriveAtClusterBarrier(U32 site);
HostThread& arriveAtMeeting(const WarpRequest& request);

#if defined(__SANITIZE_ADDRESS__) || defined(__EMSCRIPTEN__)
void leaveFor(HostThread& from, HostThread& to);  // told to the sanitizer; Emscripten's own switch
#else
struct ContextTransfer {
  void* from;   // the context that was left
  void* given;  // what it gave: its HostThread
};
// Boost.Context's switch. Declared by its symbol, so that a machine without Boost's headers compiles this.
ContextTransfer jumpToContext(void* to, void* given) __asm__("jump_fcontext");

// Leaves the running thread `from` for `to`; returns when somebody comes back to it. Inline, because after a
// switch every return is predicted wrongly: there must be none between here and the kernel's own code.
inline __attribute__((always_inline)) void leaveFor(HostThread& from, HostThread& to) {
  if (&from == &to) return;
  const ContextTransfer transfer = jumpToContext(to.context, &from);
  static_cast<HostThread*>(transfer.given)->context = transfer.from;
}
#endif

}  // namespace recording
