// What a marked text calls: the person's kernel, and round it one mark a block. Compiled by NVRTC for device
// code, one program a module. Nothing else is recorded.
#pragma once

#include "clocking/clocked_operations.h"

namespace clocking {

// Stands round the kernel: its first thread writes the block's mark when it returns, one store of 16 bytes
// that nobody waits for.
class MarkedBlock {
 public:
  // `marks`: of all blocks of the launch, in their order.
  __device__ __forceinline__ explicit MarkedBlock(BlockMark* marks) : marks_(marks) {
    if (isFirstThread()) start_ = readTimer();
  }
  __device__ __forceinline__ ~MarkedBlock() {
    if (!isFirstThread()) return;
    const U64 block = blockIdx.x + U64(gridDim.x) * (blockIdx.y + U64(gridDim.y) * blockIdx.z);
    *reinterpret_cast<uint4*>(marks_ + block) = make_uint4(start_, readTimer(), multiprocessor(), 0);
  }
  MarkedBlock(const MarkedBlock&) = delete;
  MarkedBlock& operator=(const MarkedBlock&) = delete;

 private:
  static __device__ __forceinline__ bool isFirstThread() {
    return (threadIdx.x | threadIdx.y | threadIdx.z) == 0;
  }

  BlockMark* marks_;
  U32 start_ = 0;
};

}  // namespace clocking
