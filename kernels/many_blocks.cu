// Each block reduces its own piece and leaves one value. Blocks
// do not wait for each other, so a second launch of the same
// kernel reduces those values, and so on down to one. The last
// block may be partly filled: a bound check.
__global__ void many_blocks(const T* in, T* out, unsigned n)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = blockIdx.x * blockDim.x + tid;
    data[tid] = i < n ? in[i] : identity;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
