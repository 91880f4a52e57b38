// 16 bytes a load, four loads in flight, sums in registers.
struct alignas(16) Pack { T values[16 / sizeof(T)]; };

__global__ void packs(const T* in, T* out, unsigned n)
{
    __shared__ Pack tile[1024];
    constexpr unsigned width = 16 / sizeof(T);
    const Pack* packs = reinterpret_cast<const Pack*>(in);
    Pack p[4];
    T sum[width];
#pragma unroll
    for (unsigned k = 0; k < width; ++k) sum[k] = identity;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) p[j] = packs[threadIdx.x + j * blockDim.x];
    if (n == 0) return;
#pragma unroll
    for (unsigned j = 0; j < 4; ++j)
#pragma unroll
        for (unsigned k = 0; k < width; ++k) sum[k] = combine(sum[k], p[j].values[k]);
    Pack mine;
#pragma unroll
    for (unsigned k = 0; k < width; ++k) mine.values[k] = sum[k];
    tile[threadIdx.x] = mine;
    __syncthreads();
    Pack other = tile[blockDim.x - 1 - threadIdx.x];
    T total = identity;
    for (unsigned k = 0; k < width; ++k) total = combine(total, other.values[k]);
    out[threadIdx.x] = total;
}
