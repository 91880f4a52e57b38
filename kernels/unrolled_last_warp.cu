// Unlike the one before, the last six strides are left to one
// warp: no loop, and barriers of the warp instead of the
// block's. Since Volta lanes need not run in lockstep, so
// every step has barriers.
__device__ void reduceWarp(T* data, unsigned tid)
{
    T value = data[tid];
    value = combine(value, data[tid + 32]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid + 16]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  8]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  4]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  2]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  1]); __syncwarp();
    data[tid] = value;                      __syncwarp();
}

__global__ void unrolled_last_warp(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = blockIdx.x * (2 * blockDim.x) + tid;
    data[tid] = combine(in[i], in[i + blockDim.x]);
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid < 32) reduceWarp(data, tid);
    if (tid == 0) out[blockIdx.x] = data[0];
}
