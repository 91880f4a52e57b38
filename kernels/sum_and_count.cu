// Unlike the ones before, nobody reads what the blocks leave:
// each adds its sum, and a 1 for itself, with one atomic, and
// who completes the count has the sum of all. A sum of 32 bits
// leaves room for the count in a word of 64.
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

__global__ void sum_and_count(const T* in, T* out,
                              unsigned long long* both,
                              unsigned n)
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
    if (tid > 0) return;
    if (gridDim.x == 1) {
        out[0] = value;
        return;
    }

    // The sum is the upper half: what overflows is lost, as in
    // T. The count is the lower half: a grid has fewer blocks
    // than 2^32, so that the count never reaches the sum.
    unsigned long long mine = unsigned(value);
    mine = mine << 32 | 1;
    unsigned long long all = mine + __nv_atomic_fetch_add(
        both, mine,
        __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    if (unsigned(all) == gridDim.x) {
        out[0] = T(all >> 32);
        both[0] = 0;  // for the next launch
    }
}
