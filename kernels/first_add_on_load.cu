// Unlike the sequential one, no thread only copies: each adds
// two elements while it loads, so that half as many blocks do
// the same work.
__global__ void first_add_on_load(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = blockIdx.x * (2 * blockDim.x) + tid;
    data[tid] = combine(in[i], in[i + blockDim.x]);
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
