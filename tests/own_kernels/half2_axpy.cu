#include <cuda_fp16.h>

__global__ void haxpy(int n, half a, const half *x, half *y)
{
    int start = threadIdx.x + blockDim.x * blockIdx.x;
    int stride = blockDim.x * gridDim.x;
    int n2 = n / 2;
    const half2 *x2 = (const half2 *)x;
    half2 *y2 = (half2 *)y;

    for (int i = start; i < n2; i += stride)
        y2[i] = __hfma2(__half2half2(a), x2[i], y2[i]);

    // first thread handles singleton for odd arrays
    if (start == 0 && (n % 2))
        y[n - 1] = __hfma(a, x[n - 1], y[n - 1]);
}
