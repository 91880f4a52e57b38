// BUG: the upper lanes have left the branch, but the others take values from them.
__global__ void sumHalfWarp(const int *in, int *out)
{
    const int lane = threadIdx.x % 32;
    int v = in[threadIdx.x];
    if (lane < 20) {
        for (int d = 16; d > 0; d >>= 1)
            v += __shfl_down_sync(0x000fffffu, v, d);
        if (lane == 0) out[threadIdx.x / 32] = v;
    }
}
