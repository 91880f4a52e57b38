// Every lane gets the maximum and the minimum of its warp: xor butterfly.
__global__ void warpExtremes(const int *values, int2 *extremes, int *above)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = values[i];
    int lo = v, hi = v;
#pragma unroll
    for (int mask = 16; mask >= 1; mask >>= 1) {
        lo = min(lo, __shfl_xor_sync(0xFFFFFFFF, lo, mask));
        hi = max(hi, __shfl_xor_sync(0xFFFFFFFF, hi, mask));
    }
    // no lane needs a broadcast: all have both
    above[i] = v - (lo + hi) / 2;
    if ((threadIdx.x & 31) == 0) extremes[i / 32] = make_int2(lo, hi);
}
