// two_kernels.cubin and two_kernels_described.cubin are this, compiled by NVRTC 13.0 for sm_90 with
// --generate-line-info, and with --device-debug.
template <class T>
__device__ __noinline__ T twice(T value) {
  return value + value;
}

__global__ void scale(const float* in, float* out) {
  __shared__ float tile[8][33];
  __shared__ double sums[4];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.x];
  sums[threadIdx.y] = in[threadIdx.y];
  __syncthreads();
  out[threadIdx.x] = twice(tile[threadIdx.x % 8][threadIdx.y]) + float(sums[threadIdx.x % 4]);
}

namespace other {
template <int count>
__global__ void shift(int* data) {
  __shared__ int tile[count];
  extern __shared__ int rest[];
  tile[threadIdx.x] = data[threadIdx.x];
  rest[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[(threadIdx.x + 1) % count] + rest[(threadIdx.x + 2) % count];
}
}
template __global__ void other::shift<64>(int*);
