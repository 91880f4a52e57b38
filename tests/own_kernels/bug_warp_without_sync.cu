// The last warp adds without volatile and without __syncwarp(), as old slides had it.
__global__ void lastWarp(const float* x, float* y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        if (t < 16) s[t] += s[t + 16];
        if (t < 8) s[t] += s[t + 8];
        if (t < 4) s[t] += s[t + 4];
        if (t < 2) s[t] += s[t + 2];
        if (t < 1) s[t] += s[t + 1];
    }
    if (t == 0) *y = s[0];
}
