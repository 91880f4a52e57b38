// What marks need of the machine and of the text: the clocks, an instruction each, and the barriers and
// shuffles.
#pragma once

#include "clocking/clock_control.h"

namespace clocking {

// Cycles of this SM. Nothing that reads or writes memory is moved across it.
static __device__ __forceinline__ U64 readClock() {
  U64 now = 0;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

// The lower half of the timer that all multiprocessors share, in nanoseconds; on most GPUs it steps by 32 or
// by 1000. Both halves together take three readings and a comparison.
static __device__ __forceinline__ U32 readTimer() {
  U32 now = 0;
  asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(now)::"memory");
  return now;
}

// The number of the one that runs the calling thread.
static __device__ __forceinline__ U32 multiprocessor() {
  U32 number = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

}  // namespace clocking

// The barriers and shuffles of a clocked text. Its Clock is told of each: that a warp arrives at a block
// barrier, that it leaves a barrier, and that it comes to a shuffle, which opens a round.

#define CLOCKING_FUNCTION __device__ __forceinline__

namespace clocking {

template <class Clock>
CLOCKING_FUNCTION void syncthreads(Clock& clock, U32 site) {
  clock.arrives(site);
  ::__syncthreads();
  clock.leaves(site);
}

template <class Clock>
CLOCKING_FUNCTION void synccluster(Clock& clock, U32 site) {
  clock.arrives(site);
#if __CUDA_ARCH__ >= 900  // the instruction came with compute capability 9.0
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
#endif
  clock.leaves(site);
}

#define CLOCKING_BARRIER(NAME)                                        \
  template <class Clock>                                              \
  CLOCKING_FUNCTION int NAME(Clock& clock, U32 site, int predicate) { \
    clock.arrives(site);                                              \
    const int result = ::__##NAME(predicate);                         \
    clock.leaves(site);                                               \
    return result;                                                    \
  }
CLOCKING_BARRIER(syncthreads_count)
CLOCKING_BARRIER(syncthreads_and)
CLOCKING_BARRIER(syncthreads_or)
#undef CLOCKING_BARRIER

template <class Clock>
CLOCKING_FUNCTION void syncwarp(Clock& clock, U32 site, U32 mask = 0xffffffff) {
  ::__syncwarp(mask);
  clock.leaves(site);
}

// A shuffle opens a round: the mark stands before it.
#define CLOCKING_SHUFFLE(NAME)                                                                    \
  template <class Clock, class T>                                                                 \
  CLOCKING_FUNCTION T NAME(Clock& clock, U32 site, U32 mask, T value, int lane, int width = 32) { \
    clock.shuffles(site);                                                                         \
    return ::__##NAME(mask, value, lane, width);                                                  \
  }
CLOCKING_SHUFFLE(shfl_sync)
CLOCKING_SHUFFLE(shfl_up_sync)
CLOCKING_SHUFFLE(shfl_down_sync)
CLOCKING_SHUFFLE(shfl_xor_sync)
#undef CLOCKING_SHUFFLE

}  // namespace clocking
