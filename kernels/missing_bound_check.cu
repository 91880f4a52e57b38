// The kernel of many blocks without its bound check: if n is
// no multiple of the block, the last threads read past the end
// of the input.
__global__ void missing_bound_check(const T* in, T* out,
                                    unsigned n)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = blockIdx.x * blockDim.x + tid;
    data[tid] = in[i];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
