#include <cuda_bf16.h>

// bfloat16 in, float accumulators.
__global__ void sumBf16(const __nv_bfloat16 *x, float *y, int n)
{
    __shared__ float acc[4];
    float v = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        v += __bfloat162float(x[i]);
    for (int d = 1; d < 32; d <<= 1)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) acc[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) *y = (acc[0] + acc[1]) + (acc[2] + acc[3]);
}
