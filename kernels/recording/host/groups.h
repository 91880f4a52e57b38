// Cooperative groups on the CPU executor: a stand-in for as much of CUDA's <cooperative_groups.h> as the text
// pass lets through. Ranks follow CUDA's: along x, then y, then z.
#pragma once

#include "recording/host.h"

namespace cooperative_groups {

inline unsigned rankInBlock() { return recording::machine->running->thread; }
inline unsigned threadsOfBlock() { return blockDim.x * blockDim.y * blockDim.z; }

struct thread_block {
  unsigned thread_rank() const { return rankInBlock(); }
  unsigned size() const { return threadsOfBlock(); }
  unsigned num_threads() const { return threadsOfBlock(); }
};

template <unsigned width>
struct thread_block_tile {
  static_assert(width != 0 && width <= 32 && (width & (width - 1)) == 0,
                "a tile has a power of two of threads, at most 32");
  unsigned thread_rank() const { return rankInBlock() % width; }
  unsigned size() const { return width; }
  unsigned num_threads() const { return width; }
  unsigned meta_group_rank() const { return rankInBlock() / width; }
  unsigned meta_group_size() const { return (threadsOfBlock() + width - 1) / width; }
};

inline thread_block this_thread_block() { return {}; }

struct cluster_group {
  unsigned block_rank() const { return recording::machine->clusterRank; }
  unsigned num_blocks() const { return recording::machine->clusterSize; }
  template <class T>
  T* map_shared_rank(T* address, unsigned rank) const {
    return static_cast<T*>(recording::sharedOfRank(address, rank));
  }
};

inline cluster_group this_cluster() { return {}; }

template <unsigned width>
thread_block_tile<width> tiled_partition(const thread_block&) {
  return {};
}

}  // namespace cooperative_groups

namespace recording {

// `combine` stands in the text; what is computed is `fold`.
template <class T, unsigned width, class Combine>
RECORDING_FUNCTION T reduceGroup(U32 site, U64 (*fold)(U64, U64),
                                 const cooperative_groups::thread_block_tile<width>&, T value, Combine) {
  const U32 mask = (0xffffffffu >> (32 - width)) << currentLane() / width * width;
  return recordedReduceBy<T>(site, mask, value, [&](T own) {
    return fromBits<T>(meetLanes({site, mask, WarpAct::CombineGroup, width, bitsOf(own), fold}));
  });
}

}  // namespace recording
