// Unlike the guarded one, it asks once: the lower 16 lanes take
// every step. Most of what they add is never used. But a lane
// may now write what its neighbour is about to read: a barrier
// stands between reading and writing, of the 16 that are there.
__device__ void reduceWarp(T* data, unsigned lane)
{
    constexpr unsigned half = 0x0000ffff;
    if (lane >= 16) return;
    T value = data[lane];
    value = combine(value, data[lane + 16]); __syncwarp(half);
    data[lane] = value;                      __syncwarp(half);
    value = combine(value, data[lane +  8]); __syncwarp(half);
    data[lane] = value;                      __syncwarp(half);
    value = combine(value, data[lane +  4]); __syncwarp(half);
    data[lane] = value;                      __syncwarp(half);
    value = combine(value, data[lane +  2]); __syncwarp(half);
    data[lane] = value;                      __syncwarp(half);
    value = combine(value, data[lane +  1]); __syncwarp(half);
    data[lane] = value;                      __syncwarp(half);
}

__global__ void warp_unguarded(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned lane = threadIdx.x;
    data[lane] = in[blockIdx.x * blockDim.x + lane];
    __syncwarp();
    reduceWarp(data, lane);
    if (lane == 0) out[blockIdx.x] = data[0];
}
