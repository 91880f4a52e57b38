// In place of CUDA's <cooperative_groups.h> on the emulated device: what the text pass lets through.
#pragma once

namespace cooperative_groups {

struct thread_block {
  unsigned thread_rank() const { return threadIdx.x; }
  unsigned size() const { return blockDim.x; }
  unsigned num_threads() const { return blockDim.x; }
};

template <unsigned width>
struct thread_block_tile {
  unsigned thread_rank() const { return threadIdx.x % width; }
  unsigned size() const { return width; }
  unsigned num_threads() const { return width; }
  unsigned meta_group_rank() const { return threadIdx.x / width; }
  unsigned meta_group_size() const { return (blockDim.x + width - 1) / width; }
};

inline thread_block this_thread_block() { return {}; }
template <unsigned width>
thread_block_tile<width> tiled_partition(const thread_block&) {
  return {};
}

template <unsigned width, class T, class Combine>
T reduce(const thread_block_tile<width>&, T value, Combine combine) {
  for (unsigned distance = width / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(~0u, value, int(distance)));
  return value;
}

// The emulated device has no clusters: each block is one by itself.
struct cluster_group {
  unsigned block_rank() const { return 0; }
  unsigned num_blocks() const { return 1; }
  template <class T>
  T* map_shared_rank(T* address, unsigned) const {
    return address;
  }
};
inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
