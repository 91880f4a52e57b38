// A grid of rows of blocks of rows of threads: a thread adds up each row of the block.
__global__ void rows(const T* in, T* out)
{
    __shared__ T data[32];
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    data[thread] = in[32 * block + thread];
    __syncthreads();
    if (threadIdx.x == 0) {
        T sum = identity;
        for (unsigned k = 0; k < blockDim.x; ++k) sum = combine(sum, data[thread + k]);
        out[block * blockDim.y * blockDim.z + threadIdx.y + blockDim.y * threadIdx.z] = sum;
    }
}
