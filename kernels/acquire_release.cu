// Unlike the one before, a block counts itself in with a single
// operation, a release and an acquire at once, where two fences
// stood around the count. All else is as it was.
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

__global__ void acquire_release(const T* in, T* out,
                                T* partials, unsigned* finished,
                                unsigned n)
{
    __shared__ bool last;
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
    if (gridDim.x == 1) {
        if (tid == 0) out[0] = value;
        return;
    }

    // The release: who reads this count, or a later one, sees
    // the partial result, too. The acquire: who reads the last
    // count sees what all the others released.
    if (tid == 0) {
        partials[blockIdx.x] = value;
        unsigned before = __nv_atomic_fetch_add(
            finished, 1u,
            __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
        last = before == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;

    value = identity;
    for (i = tid; i < gridDim.x; i += blockDim.x)
        value = combine(value, partials[i]);
    value = reduceBlock(value);
    if (tid == 0) {
        out[0] = value;
        finished[0] = 0;  // for the next launch
    }
}
