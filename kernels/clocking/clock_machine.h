// What marks need of the machine: one instruction.
#pragma once

#include "clocking/clock_control.h"

namespace clocking {

// Cycles of this SM. Nothing that reads or writes memory is moved across it.
static __device__ __forceinline__ U64 readClock() {
  U64 now = 0;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
}

}  // namespace clocking
