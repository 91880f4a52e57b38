#include <cuda_runtime.h>

#define BINS 26
#define CHECK(call)                                       \
    do {                                                  \
        cudaError_t error = (call);                       \
        if (error != cudaSuccess) {                       \
            fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
            exit(1);                                      \
        }                                                 \
    } while (0)

// Letters, privatised in shared memory; everything else is not counted.
__global__ void count_letters(const char *text, unsigned int length, unsigned int *bins)
{
    __shared__ unsigned int local[BINS];
    for (unsigned int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0u;
    __syncthreads();

    const unsigned int stride = blockDim.x * gridDim.x;
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        int letter = text[i] - 'a';
        if (letter >= 0 && letter < BINS)
            atomicAdd(&local[letter], 1u);
    }
    __syncthreads();

    for (unsigned int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (local[b] > 0)
            atomicAdd(&bins[b], local[b]);
}

static unsigned int blocksFor(unsigned int n) { return (n + 63) / 64; }

void run(const char *text, unsigned int n)
{
    char *d;
    CHECK(cudaMalloc(&d, n));
    count_letters<<<blocksFor(n), 64>>>(d, n, nullptr);
    CHECK(cudaDeviceSynchronize());
}
