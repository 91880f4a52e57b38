// Right in every schedule: a block's tree, then a warp's with barriers of its own, a shuffle and an atomic.
__global__ void with_barriers(const T* in, T* out)
{
    __shared__ T data[1024];
    __shared__ unsigned arrived;
    unsigned tid = threadIdx.x;
    if (tid == 0) arrived = 0;
    data[tid] = in[tid];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s >= 32; s /= 2) {
        if (tid < s) data[tid] += data[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        T value = data[tid];
        value = combine(value, data[(tid + 16) % 32]); __syncwarp();
        data[tid] = value;                             __syncwarp();
        for (unsigned s = 8; s > 0; s /= 2)
            value = combine(value, __shfl_down_sync(0xffffffffu, value, s));
        if (tid == 0) out[0] = value;
    }
    atomicAdd(&arrived, 1u);
    __syncthreads();
    if (tid == blockDim.x - 1) out[1] = T(arrived);
}
