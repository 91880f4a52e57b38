// 8-byte elements: the double occupies two banks.
__global__ void sumDouble(const double *in, double *out, unsigned n)
{
    extern __shared__ double d_shared[];
    const auto t = threadIdx.x;
    const auto i = blockIdx.x * blockDim.x + t;
    d_shared[t] = i < n ? in[i] : 0.0;
    __syncthreads();
#pragma unroll 1
    for (auto s = blockDim.x / 2; s != 0; s >>= 1) {
        if (t < s) {
            double x = d_shared[t];
            double y = d_shared[t + s];
            d_shared[t] = x + y;
        }
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = d_shared[0];
}
