#define TAPS 5
__constant__ int kernel_c[TAPS] = { 1, 4, 6, 4, 1 };
__device__ const int kDivisor = 16;

// Binomial filter along a row; the border repeats the edge element.
__global__ void convolveRow(const int *in, int *out, int n)
{
    __shared__ int line[64 + TAPS - 1];
    const int first = blockIdx.x * 64 - TAPS / 2;
    for (int j = threadIdx.x; j < 64 + TAPS - 1; j += 64) {
        int g = first + j;
        g = g < 0 ? 0 : g >= n ? n - 1 : g;
        line[j] = in[g];
    }
    __syncthreads();
    const int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    #pragma unroll
    for (int k = 0; k < TAPS; ++k) sum += kernel_c[k] * line[threadIdx.x + k];
    if (i < n) out[i] = (sum + kDivisor / 2) / kDivisor;
}
