// Unlike one_message, eight blocks form a cluster: they run at
// the same time, and reach each other's shared memory. They put
// their results into that of their first block, which alone
// sends a message: block 0 waits for an eighth of the words.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

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

__global__ void cluster_sum(const T* in, T* out,
                            unsigned long long* words,
                            unsigned n)
{
    constexpr unsigned parts = sizeof(T) / 4;
    constexpr unsigned width = 16 / sizeof(T);
    __shared__ T blocks[8];
    auto cluster = cg::this_cluster();
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

    // All threads of the cluster meet: its blocks have begun,
    // so that their shared memory is there. They meet again,
    // and what they stored is there.
    cluster.sync();
    T* first = cluster.map_shared_rank(blocks, 0);
    if (tid == 0) first[cluster.block_rank()] = value;
    cluster.sync();
    if (cluster.block_rank() > 0) return;
    unsigned size = cluster.num_blocks();
    if (tid < 32)
        value = reduceWarp(tid < size ? blocks[tid] : identity);

    // The first blocks of the clusters are left. Block 0 waits
    // for the others, and they for nobody.
    if (blockIdx.x > 0) {
        if (tid == 0) send(&words[blockIdx.x * parts], value);
        return;
    }
    if (gridDim.x > size) {
        __syncthreads();  // the cluster's part is done
        if (tid > 0) value = identity;
        for (i = (tid + 1) * size; i < gridDim.x;
             i += row * size)
            value = combine(value, receive(&words[i * parts]));
        value = reduceBlock(value);
    }
    if (tid == 0) out[0] = value;
}
