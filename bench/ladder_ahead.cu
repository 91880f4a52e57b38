#include <cuda_runtime.h>

#include <utility>

#include "ladder_ahead.h"

namespace stridescope::ahead {
namespace {

template <Rung rung>
__global__ void reduce(const int* in, int* out) {
  __shared__ int sums[kThreads];
  const unsigned thread = threadIdx.x, block = blockDim.x;
  if constexpr (rung < Rung::FirstAdd) {
    sums[thread] = in[blockIdx.x * block + thread];
  } else {
    const unsigned first = blockIdx.x * 2 * block + thread;
    sums[thread] = in[first] + in[first + block];
  }
  __syncthreads();
  if constexpr (rung == Rung::Modulo) {
    for (unsigned stride = 1; stride < block; stride *= 2) {
      if (thread % (2 * stride) == 0) sums[thread] += sums[thread + stride];
      __syncthreads();
    }
  } else if constexpr (rung == Rung::Contiguous) {
    for (unsigned stride = 1; stride < block; stride *= 2) {
      const unsigned at = 2 * stride * thread;
      if (at < block) sums[at] += sums[at + stride];
      __syncthreads();
    }
  } else {
    constexpr unsigned last = rung == Rung::LastWarp ? 32 : 0;
    for (unsigned stride = block / 2; stride > last; stride /= 2) {
      if (thread < stride) sums[thread] += sums[thread + stride];
      __syncthreads();
    }
    if (rung == Rung::LastWarp && thread < 32) {
      int sum = sums[thread];
#pragma unroll
      for (unsigned stride = 32; stride > 0; stride /= 2) {
        sum += sums[thread + stride];
        __syncwarp();
        sums[thread] = sum;
        __syncwarp();
      }
    }
  }
  if (thread == 0) out[blockIdx.x] = sums[0];
}

// The last level may have less than a block's load: then a smaller block takes it.
template <Rung rung>
const char* enqueueAll(const int* in, int* a, int* b, int* out, std::uint64_t n, cudaStream_t stream) {
  constexpr std::uint64_t perThread = rung < Rung::FirstAdd ? 1 : 2;
  while (n > 1) {
    const std::uint64_t grid = n / (kThreads * perThread);
    int* const to = grid <= 1 ? out : a;
    if (grid >= 1)
      reduce<rung><<<static_cast<unsigned>(grid), kThreads, 0, stream>>>(in, to);
    else if (rung == Rung::LastWarp && n < 128)  // less than the two warps that its tail adds up
      reduce<Rung::Sequential><<<1, static_cast<unsigned>(n), 0, stream>>>(in, to);
    else
      reduce<rung><<<1, static_cast<unsigned>(n / perThread), 0, stream>>>(in, to);
    in = to;
    n = grid;
    std::swap(a, b);
  }
  const cudaError_t code = cudaGetLastError();
  return code == cudaSuccess ? nullptr : cudaGetErrorString(code);
}

}  // namespace

const char* enqueue(Rung rung, const int* in, int* scratchA, int* scratchB, int* out, std::uint64_t n,
                    void* stream) {
  const auto to = static_cast<cudaStream_t>(stream);
  switch (rung) {
    case Rung::Modulo:
      return enqueueAll<Rung::Modulo>(in, scratchA, scratchB, out, n, to);
    case Rung::Contiguous:
      return enqueueAll<Rung::Contiguous>(in, scratchA, scratchB, out, n, to);
    case Rung::Sequential:
      return enqueueAll<Rung::Sequential>(in, scratchA, scratchB, out, n, to);
    case Rung::FirstAdd:
      return enqueueAll<Rung::FirstAdd>(in, scratchA, scratchB, out, n, to);
    case Rung::LastWarp:
      break;
  }
  return enqueueAll<Rung::LastWarp>(in, scratchA, scratchB, out, n, to);
}

}  // namespace stridescope::ahead
