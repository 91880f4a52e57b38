// Unlike the ones before, a thread loads 16 bytes at once, and
// there is one launch: each block adds its result to `total`
// with one atomic, in whatever order the blocks end.
struct alignas(16) Pack { T values[16 / sizeof(T)]; };

__device__ T reduceWarp(T value)
{
    for (unsigned s = 16; s > 0; s /= 2) {
        T other = __shfl_down_sync(0xffffffff, value, s);
        value = combine(value, other);
    }
    return value;
}

__global__ void vectorized_atomic(const T* in, T* total,
                                  unsigned n)
{
    __shared__ T slots[32];
    constexpr unsigned width = 16 / sizeof(T);
    const Pack* packs = reinterpret_cast<const Pack*>(in);
    unsigned tid   = threadIdx.x;
    unsigned lane  = tid % 32, warp = tid / 32;
    unsigned first = blockIdx.x * blockDim.x + tid;
    unsigned all   = gridDim.x * blockDim.x;
    T value = identity;
    for (unsigned i = first; i < n / width; i += all) {
        Pack pack = packs[i];
        for (unsigned k = 0; k < width; ++k)
            value = combine(value, pack.values[k]);
    }
    // What is left is less than a pack.
    if (first < n % width)
        value = combine(value, in[n - n % width + first]);

    value = reduceWarp(value);
    if (lane == 0) slots[warp] = value;
    __syncthreads();

    if (warp == 0) {
        bool filled = lane < blockDim.x / 32;
        value = reduceWarp(filled ? slots[lane] : identity);
    }
    if (tid == 0) combineAtomically(total, value);
}
