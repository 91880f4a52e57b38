// Unlike the one before, a warp adds in registers: a shuffle
// hands a lane the value of the lane s further on. Shared
// memory has one slot per warp, and the block meets once:
// when all slots are filled.
__device__ T reduceWarp(T value)
{
    for (unsigned s = 16; s > 0; s /= 2) {
        T other = __shfl_down_sync(0xffffffff, value, s);
        value = combine(value, other);
    }
    return value;
}

__global__ void warp_shuffle(const T* in, T* out, unsigned n)
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

    value = reduceWarp(value);
    if (lane == 0) slots[warp] = value;
    __syncthreads();

    if (warp == 0) {
        bool filled = lane < blockDim.x / 32;
        value = reduceWarp(filled ? slots[lane] : identity);
    }
    if (tid == 0) out[blockIdx.x] = value;
}
