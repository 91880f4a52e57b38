// 16 bytes a load, also from shared memory.
__global__ void scaleRows(const float4 *in, float4 *out, float *sums, float a)
{
    __shared__ float4 v[64];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 64 + t;
    v[t] = in[i];
    __syncthreads();
    float4 q = v[63 - t];                          // reversed
    q.x *= a; q.y *= a; q.z *= a; q.w *= a;
    out[i] = q;
    float s = q.x + q.y + q.z + q.w;
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);
    if (t % 32 == 0) sums[i / 32] = s;
}
