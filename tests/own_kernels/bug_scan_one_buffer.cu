// BUG: one buffer and one barrier a step: a thread reads what its neighbour just wrote.
__global__ void scanOneBuffer(int *data, int n)
{
    extern __shared__ int s[];
    const int t = threadIdx.x;
    s[t] = data[t];
    for (int d = 1; d < n; d *= 2) {
        __syncthreads();
        if (t >= d) s[t] += s[t - d];
    }
    data[t] = s[t];
}
