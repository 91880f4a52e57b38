// One block a row: maximum, sum of exponentials, quotient.
#include <cuda_runtime.h>
#include <math.h>

template <int BLOCK>
__global__ void softmax_kernel(const float* __restrict__ logits, float* __restrict__ probs, int cols)
{
    __shared__ float red[BLOCK];
    const float* row = logits + (size_t)blockIdx.x * cols;
    float* dst = probs + (size_t)blockIdx.x * cols;

    float m = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += BLOCK) m = fmaxf(m, row[c]);
    red[threadIdx.x] = m;
    __syncthreads();
    #pragma unroll
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) red[threadIdx.x] = fmaxf(red[threadIdx.x], red[threadIdx.x + s]);
        __syncthreads();
    }
    m = red[0];
    __syncthreads();            // red is used again

    float sum = 0.f;
    for (int c = threadIdx.x; c < cols; c += BLOCK) {
        float e = expf(row[c] - m);
        dst[c] = e;
        sum += e;
    }
    red[threadIdx.x] = sum;
    __syncthreads();
    #pragma unroll
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
        __syncthreads();
    }
    const float inv = 1.0f / red[0];
    for (int c = threadIdx.x; c < cols; c += BLOCK) dst[c] *= inv;
}

template __global__ void softmax_kernel<64>(const float*, float*, int);
