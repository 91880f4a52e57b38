// One block for any n. Each thread combines what lies a block
// apart, each warp its 32 results, and the first warp those of
// the warps. The block meets once.

// A barrier of the warp stands before each stride: whoever
// reads comes after whoever has written.
__device__ void reduceWarp(T* data, unsigned lane)
{
    for (unsigned s = 16; s > 0; s /= 2) {
        __syncwarp();
        if (lane < s)
            data[lane] = combine(data[lane], data[lane + s]);
    }
}

__global__ void block_of_warps(const T* in, T* out, unsigned n)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x, lane = tid % 32;
    T value = identity;
    for (unsigned i = tid; i < n; i += blockDim.x)
        value = combine(value, in[i]);
    data[tid] = value;
    reduceWarp(data + (tid - lane), lane);
    __syncthreads();

    if (tid < 32) {
        bool filled = tid < blockDim.x / 32;
        value = filled ? data[32 * tid] : identity;
        data[tid] = value;
        reduceWarp(data, lane);
        if (tid == 0) out[blockIdx.x] = data[0];
    }
}
