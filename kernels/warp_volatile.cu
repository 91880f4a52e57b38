// One warp as it was printed: a guard at every step, volatile,
// no barrier, and every lane returns the result. It takes for
// granted that the lanes of a warp run in lockstep.
__device__ T sumCommSingleWarp(volatile T* shArr)
{
    unsigned idx = threadIdx.x % 32;
    if (idx < 16)
        shArr[idx] = combine(shArr[idx], shArr[idx + 16]);
    if (idx < 8)
        shArr[idx] = combine(shArr[idx], shArr[idx + 8]);
    if (idx < 4)
        shArr[idx] = combine(shArr[idx], shArr[idx + 4]);
    if (idx < 2)
        shArr[idx] = combine(shArr[idx], shArr[idx + 2]);
    if (idx == 0)
        shArr[idx] = combine(shArr[idx], shArr[idx + 1]);
    return shArr[0];
}

__global__ void warp_volatile(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    T sum = sumCommSingleWarp(data);
    if (tid == 0) out[blockIdx.x] = sum;
}
