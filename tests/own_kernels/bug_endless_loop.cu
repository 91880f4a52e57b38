// BUG: unsigned k >= 0 is always true; with k = 0 the loop goes round for ever.
__global__ void sumForever(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[64];
    const unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned k = 32; k >= 0; k /= 2) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) out[0] = s[0];
}
