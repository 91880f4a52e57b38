// A whole program as courses have them: its macros, two kernels of which one is launched here, and main.
#include <cstdio>
#include <iostream>
using namespace std;

#define CHECK(call)                                                        \
    do {                                                                   \
        cudaError_t status = (call);                                       \
        if (status != cudaSuccess) {                                       \
            fprintf(stderr, "%s:%d: %d\n", __FILE__, __LINE__, (int)status); \
            exit(1);                                                       \
        }                                                                  \
    } while (0)
#define AT(row, col, width) ((row) * (width) + (col))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define DEVICE static __device__ __forceinline__
#define WARP 32
// #define VERBOSE

typedef unsigned int index_t;

template <class T>
DEVICE T largestOfWarp(T value)
{
    for (int offset = WARP / 2; offset > 0; offset >>= 1) {
        T other = __shfl_down_sync(0xffffffff, value, offset);
        value = MAX(value, other);
    }
    return value;
}

__global__ void scale(float *data, float factor)
{
    data[threadIdx.x] *= factor;
}

// The largest element of each row.
template <class T, int BLOCK = 64>
__global__ void rowMaxima(const T *matrix, T *maxima, index_t cols)
{
    __shared__ T ofWarps[BLOCK / WARP];
    const index_t row = blockIdx.x, t = threadIdx.x;
    T largest = matrix[AT(row, 0, cols)];
    for (index_t c = t; c < cols; c += BLOCK)
        largest = MAX(largest, matrix[AT(row, c, cols)]);
    largest = largestOfWarp(largest);
#ifdef VERBOSE
    printf("thread %u has %g\n", t, (double)largest);
#endif
    if (t % WARP == 0)
        ofWarps[t / WARP] = largest;
    __syncthreads();
#if BLOCK_IS_ONE_WARP
    if (t == 0) maxima[row] = ofWarps[0];
#else
    if (t == 0) {
        T all = ofWarps[0];
        for (index_t w = 1; w < BLOCK / WARP; ++w)
            all = MAX(all, ofWarps[w]);
        maxima[row] = all;
    }
#endif
}

template __global__ void rowMaxima<float, 128>(const float *, float *, index_t);

int main()
{
    float *matrix, *maxima;
    CHECK(cudaMalloc(&matrix, 3 * 200 * sizeof(float)));
    CHECK(cudaMalloc(&maxima, 3 * sizeof(float)));
    scale<<<1, 32>>>(matrix, 2.0f);
    rowMaxima<float, 128><<<3, 128>>>(matrix, maxima, 200);
    CHECK(cudaDeviceSynchronize());
    cout << "done" << endl;
    return 0;
}
