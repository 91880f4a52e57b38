// What a clocked text calls: the person's kernel, and beside each barrier and shuffle a mark of the SM's
// clock. Compiled by NVRTC for device code, one program a module. Nothing else is recorded.
//
// The first lane of each warp of the inspected block writes its marks one after another into memory that
// nobody else uses. A store is not waited for, so that a mark costs the cycles of a few instructions.
#pragma once

#include "clocking/clock_control.h"
#include "clocking/clocked_operations.h"

// Set by the host before each launch; the constant cache has it at hand. Outside the namespaces, so that its
// name in the module is its name here.
extern "C" __constant__ clocking::Control clocking_control;
__constant__ clocking::Control clocking_control;

namespace clocking {

// Whether the calling thread's block is the one whose warps leave marks: it alone runs the text that has
// them.
CLOCKING_FUNCTION bool isClocked() {
  const U64 block = blockIdx.x + U64(gridDim.x) * (blockIdx.y + U64(gridDim.y) * blockIdx.z);
  return block == clocking_control.inspectedBlock;
}

// Stands at the kernel's beginning, and ends where the thread returns. Functions of the text that mark are
// given it.
class Clock {
 public:
  CLOCKING_FUNCTION Clock() {
    const U32 thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    left_ = thread % 32 == 0 ? clocking_control.limit : 0;
    next_ = clocking_control.marks + U64(thread / 32) * clocking_control.limit;
    mark(0, MarkKind::Start);
  }
  CLOCKING_FUNCTION ~Clock() { mark(0, MarkKind::End); }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  CLOCKING_FUNCTION void arrives(U32 site) { mark(site, MarkKind::Arrive); }
  CLOCKING_FUNCTION void leaves(U32 site) { mark(site, MarkKind::Leave); }
  CLOCKING_FUNCTION void shuffles(U32 site) { mark(site, MarkKind::Arrive); }

 private:
  CLOCKING_FUNCTION void mark(U32 site, MarkKind kind) {
    const U64 now = readClock();  // in all lanes, so that none waits for the first
    if (left_ <= (kind == MarkKind::End ? 0u : 1u)) return;
    *reinterpret_cast<ulonglong2*>(next_) = make_ulonglong2(now, U64(kind) << 32 | site);
    ++next_, --left_;
  }

  Mark* next_;
  U32 left_;  // places that this lane has left: none but in a warp's first
};

}  // namespace clocking
