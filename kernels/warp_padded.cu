// Unlike the one before, it asks nothing: all 32 lanes take
// every step. For the first one 16 words of padding lie behind
// the 32 elements; they hold the identity.
__device__ void reduceWarp(T* data, unsigned lane)
{
    T value = data[lane];
    value = combine(value, data[lane + 16]); __syncwarp();
    data[lane] = value;                      __syncwarp();
    value = combine(value, data[lane +  8]); __syncwarp();
    data[lane] = value;                      __syncwarp();
    value = combine(value, data[lane +  4]); __syncwarp();
    data[lane] = value;                      __syncwarp();
    value = combine(value, data[lane +  2]); __syncwarp();
    data[lane] = value;                      __syncwarp();
    value = combine(value, data[lane +  1]); __syncwarp();
    data[lane] = value;                      __syncwarp();
}

__global__ void warp_padded(const T* in, T* out)
{
    __shared__ T data[48];
    unsigned lane = threadIdx.x;
    data[lane] = in[blockIdx.x * blockDim.x + lane];
    if (lane < 16) data[32 + lane] = identity;
    __syncwarp();
    reduceWarp(data, lane);
    if (lane == 0) out[blockIdx.x] = data[0];
}
