// What marks need of the machine: an instruction each.
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
