// What the GPU recorder needs of the machine and CUDA C++ has no name for: one instruction each.
#pragma once

#include "recording/event.h"

namespace recording {

// Ends the calling thread. The block's barriers no longer wait for it.
RECORDING_FUNCTION void stopThread() { asm volatile("exit;"); }

// Nanoseconds; the same clock for all blocks.
RECORDING_FUNCTION U64 globalTime() {
  U64 now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

// The dynamic shared memory that the launch gave to each block.
RECORDING_FUNCTION U32 dynamicSharedBytes() {
  U32 bytes = 0;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

}  // namespace recording
