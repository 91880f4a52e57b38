// Unlike one_message, no thread loads elements into registers:
// one thread of a block asks for 8 KiB at a time. The hardware
// copies them into shared memory, while the threads reduce what
// came before, and a barrier there counts the bytes that came.
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

// The ring: while one stage is read, three others are filled.
constexpr unsigned stages = 4, packsOfStage = 512;
constexpr unsigned bytesOfStage = packsOfStage * sizeof(Pack);

__device__ unsigned addressOf(const void* shared)
{
    return unsigned(__cvta_generic_to_shared(shared));
}

__device__ void begin(unsigned long long* filled)
{
    for (unsigned k = 0; k < stages; ++k)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
                     ::"r"(addressOf(&filled[k])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;"
                 ::: "memory");
}

// The barrier completes when so many bytes have come.
__device__ void fill(Pack* stage, const Pack* packs,
                     unsigned long long* filled)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64"
                 " _, [%0], %1;"
                 ::"r"(addressOf(filled)), "r"(bytesOfStage)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes"
                 " [%0], [%1], %2, [%3];"
                 ::"r"(addressOf(stage)), "l"(packs),
                   "r"(bytesOfStage), "r"(addressOf(filled))
                 : "memory");
}

// A stage is filled again and again: its fills are told apart by
// whether their number is even or odd.
__device__ void waitFor(unsigned long long* filled, unsigned odd)
{
    unsigned done = 0;
    while (done == 0)
        asm volatile("{ .reg .pred p;"
                     " mbarrier.try_wait.parity.shared::cta.b64"
                     " p, [%1], %2;"
                     " selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(addressOf(filled)), "r"(odd)
                     : "memory");
}

// A word has 32 bits of a value, and above them a flag.
struct Bits { unsigned parts[sizeof(T) / 4]; };

__device__ void send(unsigned long long* words, T value)
{
    Bits bits = __builtin_bit_cast(Bits, value);
    for (unsigned k = 0; k < sizeof(T) / 4; ++k)
        __nv_atomic_store_n(
            &words[k], 1ull << 32 | bits.parts[k],
            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
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
                __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
        while (word >> 32 == 0);
        words[k] = 0;
        bits.parts[k] = unsigned(word);
    }
    return __builtin_bit_cast(T, bits);
}

__global__ void bulk_copy(const T* in, T* out,
                          unsigned long long* words,
                          unsigned n)
{
    constexpr unsigned parts = sizeof(T) / 4;
    constexpr unsigned width = 16 / sizeof(T);
    __shared__ alignas(128) Pack ring[stages * packsOfStage];
    __shared__ unsigned long long filled[stages];
    const Pack* packs = reinterpret_cast<const Pack*>(in);
    unsigned tid   = threadIdx.x, row = blockDim.x;
    unsigned i     = blockIdx.x * row + tid;
    unsigned end   = n / width;
    unsigned tiles = end / packsOfStage, all = gridDim.x;
    T value = identity;
    if (i < n % width) value = in[n - n % width + i];

    if (tid == 0) {
        begin(filled);
        for (unsigned k = 0; k < stages; ++k) {
            unsigned tile = blockIdx.x + k * all;
            if (tile >= tiles) break;
            fill(&ring[k * packsOfStage],
                 &packs[tile * packsOfStage], &filled[k]);
        }
    }
    __syncthreads();  // the barriers are there
    unsigned k = 0, odd = 0;
    for (unsigned t = blockIdx.x; t < tiles; t += all) {
        Pack* stage = &ring[k * packsOfStage];
        waitFor(&filled[k], odd);
        for (unsigned j = tid; j < packsOfStage; j += row)
            value = reducePack(value, stage[j]);
        __syncthreads();  // all of it has been read
        unsigned next = t + stages * all;
        if (tid == 0 && next < tiles)
            fill(stage, &packs[next * packsOfStage], &filled[k]);
        if (++k == stages) k = 0, odd ^= 1;
    }
    for (i += tiles * packsOfStage; i < end; i += all * row)
        value = reducePack(value, packs[i]);

    value = reduceBlock(value);

    // Only block 0 waits. The others wait for nobody: each of
    // them sends its words and ends, however late it begins.
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
    if (tid == 0) out[0] = value;
}
