// Unlike the one before, a warp's five shuffles are a single
// instruction: combineWarp() is redux.sync, with the
// same result in all 32 lanes. It takes 32-bit integers.
__global__ void warp_redux(const T* in, T* out, unsigned n)
{
    __shared__ T slots[32];
    unsigned tid  = threadIdx.x;
    unsigned lane = tid % 32, warp = tid / 32;
    unsigned i    = blockIdx.x * blockDim.x + tid;
    unsigned all  = gridDim.x * blockDim.x;
    T value = identity;
    for (; i + 3 * all < n; i += 4 * all) {
        T a = combine(in[i], in[i + all]);
        T b = combine(in[i + 2 * all], in[i + 3 * all]);
        value = combine(value, combine(a, b));
    }
    for (; i < n; i += all)
        value = combine(value, in[i]);

    value = combineWarp(value);
    if (lane == 0) slots[warp] = value;
    __syncthreads();

    if (warp == 0) {
        bool filled = lane < blockDim.x / 32;
        value = combineWarp(filled ? slots[lane] : identity);
    }
    if (tid == 0) out[blockIdx.x] = value;
}
