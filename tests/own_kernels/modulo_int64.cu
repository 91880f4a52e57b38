// Step 0 with 8-byte elements: here the modulo has bank conflicts, on loads only.
typedef long long int64;

__global__ void sumModulo64(const int64 *in, int64 *out)
{
    extern __shared__ int64 s64[];
    unsigned t = threadIdx.x;
    s64[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0) s64[t] += s64[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s64[0];
}
