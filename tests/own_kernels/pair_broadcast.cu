// Complex numbers as float2: neighbouring threads read the same factor.
__device__ __forceinline__ float2 cmul(const float2 a, const float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void twiddle(const float2 *in, const float2 *factors, float2 *out)
{
    __shared__ float2 w[32];
    const int t = threadIdx.x;
    if (t < 32) w[t] = factors[t];
    __syncthreads();
    float2 f = w[t / 2];
    float2 v = in[blockIdx.x * 64 + t];
    out[blockIdx.x * 64 + t] = cmul(v, f);
}
