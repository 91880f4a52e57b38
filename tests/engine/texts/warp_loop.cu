// The same in a loop, without a guard: the lanes come back to the same access again and again.
__global__ void warp_loop(const T* in, T* out)
{
    __shared__ T data[2048];
    volatile T* smem = &data[threadIdx.x / 32 * 64];
    unsigned lane = threadIdx.x % 32;
    smem[lane] = in[threadIdx.x];
    smem[lane + 32] = identity;
    for (unsigned s = 16; s > 0; s /= 2)
        smem[lane] = combine(smem[lane], smem[lane + s]);
    out[threadIdx.x] = smem[0];
}
