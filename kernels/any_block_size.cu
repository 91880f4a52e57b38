// Unlike the sequential one, any block size will do: the stride
// is half of the values that are left, rounded up, and a thread
// adds only if its partner is one of them.
__global__ void any_block_size(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned left = blockDim.x; left > 1;) {
        unsigned s = (left + 1) / 2;
        if (tid + s < left)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
        left = s;
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
