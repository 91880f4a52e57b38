// As handed_over, but all threads of a block leave values, and its
// first thread a flag behind a barrier; in device 0 its first thread
// waits for the flags, and behind a barrier all take the values.
__global__ void handed_over_to_all(T* values, unsigned* flags, T* sum,
                                   unsigned device, unsigned devices)
{
    unsigned tid = threadIdx.x;
    if (device > 0) {
        values[device * blockDim.x + tid] = T(10 * device);
        __syncthreads();
        if (tid == 0)
            __nv_atomic_store_n(&flags[device], 1u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
        return;
    }
    if (tid == 0)
        for (unsigned k = 1; k < devices; ++k) {
            unsigned flag;
            do
                flag = __nv_atomic_load_n(&flags[k], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_SYSTEM);
            while (flag == 0);
        }
    __syncthreads();
    T all = identity;
    for (unsigned k = 1; k < devices; ++k)
        all = combine(all, values[k * blockDim.x + tid]);
    sum[tid] = all;
}
