// Threads wait for a word that another one sends late, and count
// themselves in.
__global__ void looks(const T* in, T* out)
{
    unsigned tid = threadIdx.x;
    if (tid == 5) {
        T sum = 0;
        for (unsigned i = 0; i < 64; ++i) sum = combine(sum, in[i]);
        __nv_atomic_store_n(&out[0], sum, __NV_ATOMIC_RELEASE,
                            __NV_THREAD_SCOPE_DEVICE);
        return;
    }
    while (__nv_atomic_load_n(&out[0], __NV_ATOMIC_ACQUIRE,
                              __NV_THREAD_SCOPE_DEVICE) == 0) {}
    __nv_atomic_fetch_add(&out[1], 1, __NV_ATOMIC_RELAXED,
                          __NV_THREAD_SCOPE_DEVICE);
}
