// The sequential one, and nothing is wrong with it. But here
// combine() subtracts, and a - b is not associative: a tree
// brackets otherwise than a loop, and gives another result.
__global__ void subtraction(const T* in, T* out)
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
