// Each block but one sends a word, and that one waits for the words
// of all: its own too where `all` is 1, which nobody sends. Where it
// is 2, the others wait for a word of that one first.
__global__ void one_word_each(unsigned long long* out,
                              unsigned long long* words,
                              unsigned receiver, unsigned all)
{
    unsigned tid = threadIdx.x;
    if (blockIdx.x != receiver) {
        if (tid != 0) return;
        if (all == 2)
            while (__nv_atomic_load_n(
                       &words[receiver], __NV_ATOMIC_RELAXED,
                       __NV_THREAD_SCOPE_DEVICE) == 0) {}
        __nv_atomic_store_n(
            &words[blockIdx.x], 1ull << 32 | (blockIdx.x + 7),
            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
        return;
    }
    if (all == 2 && tid == 0)
        __nv_atomic_store_n(
            &words[receiver], 1,
            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    for (unsigned i = tid; i < gridDim.x; i += blockDim.x) {
        if (i == receiver && all != 1) continue;
        unsigned long long word;
        do
            word = __nv_atomic_load_n(
                &words[i],
                __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
        while (word >> 32 == 0);
        out[i] = word;
    }
}
