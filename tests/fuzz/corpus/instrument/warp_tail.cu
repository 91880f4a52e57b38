// The last warp as it was written before Volta: no barrier, only volatile. Right where lanes run in lockstep.
__device__ T reduceOneWarp(volatile T* smem, unsigned lane)
{
    if (lane < 16) smem[lane] += smem[lane + 16];
    if (lane <  8) smem[lane] += smem[lane +  8];
    if (lane <  4) smem[lane] += smem[lane +  4];
    if (lane <  2) smem[lane] += smem[lane +  2];
    if (lane == 0) smem[lane] += smem[lane +  1];
    return smem[0];
}

__global__ void warp_tail(const T* in, T* out)
{
    __shared__ T data[1024];
    unsigned tid = threadIdx.x;
    data[tid] = in[tid];
    out[tid] = reduceOneWarp(&data[tid / 32 * 32], tid % 32);
}
