// Unlike the interleaved ones, the stride begins at half the
// block and halves: neighbouring threads read neighbouring
// words, and no request asks a bank for two of them.
__global__ void sequential(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
