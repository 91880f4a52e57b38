// BUG: half of the threads do not come to the barrier in the loop.
__global__ void sumDivergent(const float *in, float *out)
{
    __shared__ float s[128];
    const unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (unsigned k = 64; k > 0; k >>= 1) {
        if (t < k) {
            s[t] += s[t + k];
            __syncthreads();
        }
    }
    if (t == 0) *out = s[0];
}
