// Each warp counts into bins of its own; no atomics leave the warp until the end.
enum { BINS = 16, WARPS = 4 };
typedef unsigned int uint32;

__global__ void __launch_bounds__(WARPS * 32)
histogramPerWarp(const int *keys, uint32 *bins, int n)
{
    __shared__ uint32 mine[WARPS][BINS];
    const int warp = threadIdx.x >> 5;

    for (int b = threadIdx.x; b < WARPS * BINS; b += blockDim.x)
        (&mine[0][0])[b] = 0u;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[warp][keys[i] & (BINS - 1)], 1u);
    __syncthreads();

    if (threadIdx.x < BINS) {
        uint32 sum = 0;
        for (int w = 0; w < WARPS; w++) sum += mine[w][threadIdx.x];
        if (sum) atomicAdd(bins + threadIdx.x, sum);
    }
}
