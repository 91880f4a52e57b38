// Sorts 2 * blockDim.x keys of each block, ascending.
__device__ inline void compareExchange(unsigned &a, unsigned &b, bool ascending)
{
    if ((a > b) == ascending) {
        unsigned t = a;
        a = b;
        b = t;
    }
}

__global__ void bitonicSort(const unsigned *src, unsigned *dst)
{
    __shared__ unsigned key[128];
    const unsigned n = 2 * blockDim.x, t = threadIdx.x;
    src += blockIdx.x * n;
    dst += blockIdx.x * n;
    key[t] = src[t];
    key[t + blockDim.x] = src[t + blockDim.x];

    for (unsigned size = 2; size <= n; size <<= 1) {
        bool up = (t & (size / 2)) == 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * t - (t & (stride - 1));
            compareExchange(key[pos], key[pos + stride], size == n || up);
        }
    }
    __syncthreads();
    dst[t] = key[t];
    dst[t + blockDim.x] = key[t + blockDim.x];
}
