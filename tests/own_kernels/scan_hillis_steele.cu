// Inclusive scan, two buffers in one shared array (Hillis and Steele).
__global__ void scanHillisSteele(const int *in, int *out, int n)
{
    extern __shared__ int temp[];          // 2 * n
    int t = threadIdx.x;
    int pout = 0, pin = 1;

    temp[t] = in[t];
    __syncthreads();

    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (t >= offset)
            temp[pout * n + t] = temp[pin * n + t] + temp[pin * n + t - offset];
        else
            temp[pout * n + t] = temp[pin * n + t];
        __syncthreads();
    }
    out[t] = temp[pout * n + t];
}
