#include <limits.h>

__device__ long long greater(long long a, long long b) { return a > b ? a : b; }

__global__ void maxLongLong(const long long *in, long long *out, int n)
{
    __shared__ long long m[96];                    // not a power of two
    int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
    m[t] = g < n ? in[g] : LLONG_MIN;
    for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
        __syncthreads();
        int far = t + (left + 1) / 2;
        if (far < left) m[t] = greater(m[t], m[far]);
    }
    if (t == 0) out[blockIdx.x] = m[0];
}
