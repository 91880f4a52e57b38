// The last warp as it was written before Volta: no barrier, no
// guard, only `volatile`. It takes for granted that the lanes
// of a warp run in lockstep; no GPU since 2017 promises that.
__global__ void warp_without_sync(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = 2 * blockIdx.x * blockDim.x + tid;
    data[tid] = combine(in[i], in[i + blockDim.x]);
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }

    if (tid < 32) {
        volatile T* smem = data;
        smem[tid] = combine(smem[tid], smem[tid + 32]);
        smem[tid] = combine(smem[tid], smem[tid + 16]);
        smem[tid] = combine(smem[tid], smem[tid +  8]);
        smem[tid] = combine(smem[tid], smem[tid +  4]);
        smem[tid] = combine(smem[tid], smem[tid +  2]);
        smem[tid] = combine(smem[tid], smem[tid +  1]);
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
