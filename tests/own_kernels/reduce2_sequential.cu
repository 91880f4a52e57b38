#define THREADS 128   // must match the launch

// Step 2: sequential addressing; no conflicts, idle warps.
__global__ void
reduce_sequential(const float* __restrict__ x, float* __restrict__ y, int n)
{
    __shared__ float buf[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    float mine = 0.0f;
    if (i < n) mine = x[i];
    buf[t] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half >>= 1) {
        if (t < half) buf[t] = buf[t] + buf[t + half];
        __syncthreads();
    }
    if (!t) y[blockIdx.x] = buf[0];
}
