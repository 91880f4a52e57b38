// A warp alone reduces 32 elements, and every step has its
// guard: lane < s. What a step reads no lane of it writes, so
// that one warp barrier per step is enough.
__device__ void reduceWarp(T* data, unsigned lane)
{
    if (lane < 16)
        data[lane] = combine(data[lane], data[lane + 16]);
    __syncwarp();
    if (lane < 8)
        data[lane] = combine(data[lane], data[lane + 8]);
    __syncwarp();
    if (lane < 4)
        data[lane] = combine(data[lane], data[lane + 4]);
    __syncwarp();
    if (lane < 2)
        data[lane] = combine(data[lane], data[lane + 2]);
    __syncwarp();
    if (lane == 0)
        data[lane] = combine(data[lane], data[lane + 1]);
    __syncwarp();
}

__global__ void warp_guarded(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned lane = threadIdx.x;
    data[lane] = in[blockIdx.x * blockDim.x + lane];
    __syncwarp();
    reduceWarp(data, lane);
    if (lane == 0) out[blockIdx.x] = data[0];
}
