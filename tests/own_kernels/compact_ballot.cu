// Stream compaction that keeps the order: ballot within a warp, a scan over the warps.
#define WARP 32

__global__ void compactPositive(const int *in, int *out, int *counts)
{
    __shared__ int warpBase[8];
    const unsigned lane = threadIdx.x & (WARP - 1), warp = threadIdx.x / WARP;
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    const bool keep = v > 0;

    const unsigned votes = __ballot_sync(0xffffffffu, keep);
    const int rank = __popc(votes & ((1u << lane) - 1));
    if (lane == 0) warpBase[warp] = __popc(votes);
    __syncthreads();

    if (threadIdx.x == 0) {             // at most 8 warps: a loop will do
        int sum = 0;
        for (unsigned w = 0; w < blockDim.x / WARP; w++) {
            int c = warpBase[w];
            warpBase[w] = sum;
            sum += c;
        }
        counts[blockIdx.x] = sum;
    }
    __syncthreads();

    if (keep) out[blockIdx.x * blockDim.x + warpBase[warp] + rank] = v;
}
