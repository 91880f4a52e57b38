#include <cuda_fp16.h>

// Pairs of halves are added pair by pair; the two members meet at the end.
__global__ void sumHalf2(const __half2 *in, float *out)
{
    __shared__ __half2 s[64];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned k = blockDim.x >> 1; k > 0; k >>= 1) {
        if (t < k) s[t] = __hadd2(s[t], s[t + k]);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = __low2float(s[0]) + __high2float(s[0]);
}
