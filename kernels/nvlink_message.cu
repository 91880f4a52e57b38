// Unlike in host_adds, the CPU has nothing left to do: every
// other device sends its result, and the news that it is there,
// in one word into the memory of device 0, which waits for the
// words in order.
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

// A word has 32 bits of a value, and above them a flag. Threads
// of other devices must see it, too: that is system scope.
struct Bits { unsigned parts[sizeof(T) / 4]; };

__device__ void send(unsigned long long* words, T value)
{
    Bits bits = __builtin_bit_cast(Bits, value);
    for (unsigned k = 0; k < sizeof(T) / 4; ++k)
        __nv_atomic_store_n(
            &words[k], 1ull << 32 | bits.parts[k],
            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
}

// Looks until the words are there, and takes them away, so that
// the next launch begins without any.
__device__ T receive(unsigned long long* words)
{
    Bits bits;
    for (unsigned k = 0; k < sizeof(T) / 4; ++k) {
        unsigned long long word;
        do
            word = __nv_atomic_load_n(
                &words[k],
                __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
        while (word >> 32 == 0);
        __nv_atomic_store_n(
            &words[k], 0ull,
            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
        bits.parts[k] = unsigned(word);
    }
    return __builtin_bit_cast(T, bits);
}

// The inbox is in the memory of device 0, all else in that of
// the device itself.
__global__ void nvlink_message(const T* in, T* out,
                               unsigned long long* words,
                               unsigned long long* inbox,
                               unsigned n, unsigned device,
                               unsigned devices)
{
    constexpr unsigned parts = sizeof(T) / 4;
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

    // The other blocks wait for nobody: each of them sends its
    // words to block 0 of its device and ends.
    if (blockIdx.x > 0) {
        if (tid == 0) send(&words[blockIdx.x * parts], value);
        return;
    }
    if (gridDim.x > 1) {
        __syncthreads();  // slots can be used again
        if (tid > 0) value = identity;
        for (i = tid + 1; i < gridDim.x; i += row)
            value = combine(value, receive(&words[i * parts]));
        value = reduceBlock(value);
    }
    if (tid > 0) return;

    // Nor do the other devices wait.
    if (device > 0) {
        send(&inbox[device * parts], value);
        return;
    }
    for (unsigned k = 1; k < devices; ++k)
        value = combine(value, receive(&inbox[k * parts]));
    out[0] = value;
}
