// Step 6: several elements a thread (grid-stride loop), then the tree.
template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduceMany(const T *__restrict__ in, T *__restrict__ out, unsigned int n)
{
    __shared__ T sdata[blockSize];
    const unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    const unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;

    while (i < n) {
        mySum += in[i];
        // checked only where n may end inside a pair
        if (nIsPow2 || i + blockSize < n) mySum += in[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();

    if constexpr (blockSize >= 256) {
        if (tid < 128) { sdata[tid] = mySum = mySum + sdata[tid + 128]; }
        __syncthreads();
    }
    if constexpr (blockSize >= 128) {
        if (tid < 64) { sdata[tid] = mySum = mySum + sdata[tid + 64]; }
        __syncthreads();
    }
    if (tid < 32) {
        if constexpr (blockSize >= 64) mySum += sdata[tid + 32];
        for (int offset = warpSize / 2; offset > 0; offset /= 2)
            mySum += __shfl_down_sync(0xffffffff, mySum, offset);
    }
    if (tid == 0) out[blockIdx.x] = mySum;
}

template __global__ void reduceMany<double, 128, false>(const double *, double *, unsigned int);
