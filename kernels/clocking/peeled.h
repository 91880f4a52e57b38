// What a peeled text calls: the person's kernel, which ends behind as many marks as the host says. The launch
// then takes as long as the grid does up to there; the price of a round is the difference of two such times.
//
// It is the clocked text with another Clock. Compiled by NVRTC for device code, one program a module.
#pragma once

#include "clocking/clocked_operations.h"

// Set by the host before each launch. Outside the namespaces, so that its name in the module is its name
// here.
extern "C" __constant__ clocking::PeelControl clocking_peel;
__constant__ clocking::PeelControl clocking_peel;

namespace clocking {

// Stands at the kernel's beginning, and ends where the thread returns.
class Clock {
 public:
  CLOCKING_FUNCTION Clock() : left_(clocking_peel.marks) {
    if (left_ == 0) end();
  }
#ifdef CLOCKING_COUNTS_MARKS  // in a program of its own, because a thread's end has a price, too
  CLOCKING_FUNCTION ~Clock() {
    if ((threadIdx.x | threadIdx.y | threadIdx.z | blockIdx.x | blockIdx.y | blockIdx.z) == 0)
      *clocking_peel.passed = clocking_peel.marks - left_;
  }
#endif
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  CLOCKING_FUNCTION void arrives(U32) {}
  CLOCKING_FUNCTION void leaves(U32) { pass(); }
  CLOCKING_FUNCTION void shuffles(U32) { pass(); }

 private:
  CLOCKING_FUNCTION void pass() {
    if (--left_ == 0) end();
  }
  // The thread, wherever in the text's functions it is.
  CLOCKING_FUNCTION static void end() { asm volatile("exit;"); }

  U32 left_;
};

}  // namespace clocking
