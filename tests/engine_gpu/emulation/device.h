// As much of CUDA C++ as the recording runtime's GPU half and the catalogue's kernels need, on threads of the
// operating system: each CUDA thread is one, so that barriers, exited threads and races are real. Compiled
// before recording/gpu.h, by the machine's C++ compiler. Here: threads, barriers, memory; warp_functions.h
// has what lanes do together, atomics.h the atomics.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

namespace emulated {

struct ThreadEnds {};

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

// Threads meet here; one that has ended is no longer waited for.
class Barrier {
 public:
  void reset(unsigned threads) { alive_ = threads; }
  // What the threads that met put in, added up.
  unsigned meet(unsigned value) {
    std::unique_lock lock(mutex_);
    sum_ += value;
    const unsigned generation = generation_;
    if (++arrived_ == alive_)
      release();
    else
      changed_.wait(lock, [&] { return generation != generation_; });
    return result_;
  }
  void leave() {
    const std::scoped_lock lock(mutex_);
    if (--alive_ > 0 && arrived_ == alive_) release();
  }

 private:
  void release() {
    result_ = sum_;
    sum_ = arrived_ = 0;
    ++generation_;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned alive_ = 0, arrived_ = 0, sum_ = 0, result_ = 0, generation_ = 0;
};

// The lanes of a warp put a value each into their slots, meet, and read one another's.
struct Warp {
  Barrier barrier;
  unsigned long long slots[32] = {};
  bool present[32] = {};
};

inline constexpr std::size_t kSharedBytes = 64 * 1024;
inline constexpr unsigned kMaxArrays = 8;

// Dynamic shared memory begins at `shared`; the arrays with a size lie at the other end.
struct Block {
  unsigned dynamicSharedBytes = 0;
  unsigned char* shared = nullptr;
  Barrier barrier;
  std::vector<Warp> warps;

  void* array(unsigned number, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    if (arrays_[number] == nullptr) {
      used_ += (bytes + 15) / 16 * 16;
      arrays_[number] = shared + kSharedBytes - used_;
    }
    return arrays_[number];
  }

 private:
  std::mutex mutex_;
  std::size_t used_ = 0;
  void* arrays_[kMaxArrays] = {};
};

struct Thread {
  Index threadIndex, blockIndex, blockShape, gridShape;
  Block* block = nullptr;
};
inline thread_local Thread* thread = nullptr;

// The index of the i-th of them, counted along x, then y, then z.
inline Index indexOf(std::uint64_t i, const unsigned (&shape)[3]) {
  const std::uint64_t row = i / shape[0];
  return {static_cast<unsigned>(i % shape[0]), static_cast<unsigned>(row % shape[1]),
          static_cast<unsigned>(row / shape[1])};
}

// Runs kernel() for all threads of all blocks, one block after another; shapes are x, y and z. `shared`:
// kSharedBytes of memory.
template <class Kernel>
void launch(const unsigned (&gridShape)[3], const unsigned (&blockShape)[3], unsigned sharedBytes,
            void* shared, Kernel kernel) {
  const std::uint64_t grid = std::uint64_t(gridShape[0]) * gridShape[1] * gridShape[2];
  const unsigned threads = blockShape[0] * blockShape[1] * blockShape[2];
  for (std::uint64_t b = 0; b < grid; ++b) {
    Block block;
    block.shared = static_cast<unsigned char*>(shared);
    block.dynamicSharedBytes = sharedBytes;
    block.barrier.reset(threads);
    block.warps = std::vector<Warp>((threads + 31) / 32);
    for (unsigned warp = 0; warp < block.warps.size(); ++warp)
      block.warps[warp].barrier.reset(warp * 32 + 32 <= threads ? 32 : threads % 32);
    std::vector<std::jthread> running;
    for (unsigned t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        Thread self{indexOf(t, blockShape),
                    indexOf(b, gridShape),
                    {blockShape[0], blockShape[1], blockShape[2]},
                    {gridShape[0], gridShape[1], gridShape[2]},
                    &block};
        thread = &self;
        try {
          kernel();
        } catch (const ThreadEnds&) {
        }
        block.warps[t / 32].barrier.leave();
        block.barrier.leave();
      });
  }
}

// Calls a kernel with arguments as cuLaunchKernel takes them.
template <class... Parameter>
void call(void (*kernel)(Parameter...), void* const* arguments) {
  unsigned next = 0;
  std::tuple<std::remove_const_t<Parameter>...> values{
      *static_cast<std::remove_const_t<Parameter>*>(arguments[next++])...};
  std::apply(kernel, values);
}

}  // namespace emulated

#define __CUDACC__
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __restrict__ __restrict

#define threadIdx (emulated::thread->threadIndex)
#define blockIdx (emulated::thread->blockIndex)
#define blockDim (emulated::thread->blockShape)
#define gridDim (emulated::thread->gridShape)

// Arithmetic and vector types are the same as on the CPU executor.
#include "recording/host/cuda_functions.h"
#include "recording/host/cuda_vectors.h"

inline bool inEmulatedShared(const volatile void* pointer) {
  const auto offset = reinterpret_cast<std::uintptr_t>(pointer) -
                      reinterpret_cast<std::uintptr_t>(emulated::thread->block->shared);
  return offset < emulated::kSharedBytes;
}
inline unsigned __isShared(const void* pointer) { return inEmulatedShared(pointer); }
inline unsigned __isGlobal(const void* pointer) {  // what is neither shared nor on the stack
  const char here = 0;
  const auto distance = reinterpret_cast<std::intptr_t>(pointer) - reinterpret_cast<std::intptr_t>(&here);
  return !inEmulatedShared(pointer) && (distance > 65536 || distance < -65536);
}
inline std::size_t __cvta_generic_to_shared(const void* pointer) {
  return static_cast<std::size_t>(static_cast<const unsigned char*>(pointer) -
                                  emulated::thread->block->shared);
}
inline void* __cvta_shared_to_generic(std::size_t offset) { return emulated::thread->block->shared + offset; }

inline void __syncthreads() { emulated::thread->block->barrier.meet(0); }
inline int __syncthreads_count(int predicate) {
  return static_cast<int>(emulated::thread->block->barrier.meet(predicate != 0));
}
inline int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) > 0; }
inline int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }

#include "atomics.h"
#include "warp_functions.h"
