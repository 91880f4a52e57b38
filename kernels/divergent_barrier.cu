// The sequential one with the barrier moved into the branch:
// only threads below s come to it. A barrier of the block is
// one that all its threads come to, or none.
__global__ void divergent_barrier(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s) {
            data[tid] = combine(data[tid], data[tid + s]);
            __syncthreads();
        }
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
