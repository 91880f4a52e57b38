// What a reduction cannot be faster than: the blocks of single_pass
// read all elements and leave their results, which nobody combines.
struct alignas(16) Pack { T values[16 / sizeof(T)]; };

__device__ T reducePack(T value, Pack pack)
{
    for (unsigned k = 0; k < 16 / sizeof(T); ++k)
        value = combine(value, pack.values[k]);
    return value;
}

__device__ T reduceWarp(T value)
{
    for (unsigned s = 16; s > 0; s /= 2) {
        T other = __shfl_down_sync(0xffffffff, value, s);
        value = combine(value, other);
    }
    return value;
}

// Thread 0 gets the combined value of all threads of the block.
__device__ T reduceBlock(T value)
{
    __shared__ T slots[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = reduceWarp(value);
    if (lane == 0) slots[warp] = value;
    __syncthreads();
    if (warp == 0) {
        bool filled = lane < blockDim.x / 32;
        value = reduceWarp(filled ? slots[lane] : identity);
    }
    return value;
}

__global__ void reads_all(const T* in, T* out, unsigned n)
{
    constexpr unsigned width = 16 / sizeof(T);
    const Pack* packs = reinterpret_cast<const Pack*>(in);
    unsigned tid  = threadIdx.x, row = blockDim.x;
    unsigned i    = blockIdx.x * 4 * row + tid;
    unsigned step = gridDim.x * 4 * row;
    unsigned end  = n / width;
    T value = identity;
    if (i < n % width) value = in[n - n % width + i];

    for (; i + 3 * row < end; i += step) {
        Pack a = packs[i],           b = packs[i + row];
        Pack c = packs[i + 2 * row], d = packs[i + 3 * row];
        value = reducePack(reducePack(value, a), b);
        value = reducePack(reducePack(value, c), d);
    }
    for (; i < end; i += row)
        value = reducePack(value, packs[i]);
    value = reduceBlock(value);
    if (tid == 0) out[blockIdx.x] = value;
}
