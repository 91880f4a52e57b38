// A whole program's kernel: each thread puts two neighbours
// into shared memory, the identity beyond the end, so that any
// n will do. The stride grows as in the interleaved ones. The
// CPU combines the blocks' results.
__global__ void two_per_thread(const T* in, T* out, unsigned n)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = 2 * (blockIdx.x * blockDim.x + tid);
    data[2 * tid]     = i     < n ? in[i]     : identity;
    data[2 * tid + 1] = i + 1 < n ? in[i + 1] : identity;
    __syncthreads();

    for (unsigned s = 1; s <= blockDim.x; s *= 2) {
        if (tid % s == 0) {
            T other = data[2 * tid + s];
            data[2 * tid] = combine(data[2 * tid], other);
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
