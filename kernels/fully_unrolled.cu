// Unlike the one before, the block's size is known when the
// kernel is compiled: no loop is left. Nor are the tests of
// blockSize: each is decided by the compiler, and of what
// does not apply nothing remains.
__device__ void reduceWarp(T* data, unsigned tid)
{
    T value = data[tid];
    value = combine(value, data[tid + 32]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid + 16]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  8]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  4]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  2]); __syncwarp();
    data[tid] = value;                      __syncwarp();
    value = combine(value, data[tid +  1]); __syncwarp();
    data[tid] = value;                      __syncwarp();
}

__global__ void fully_unrolled(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = blockIdx.x * (2 * blockSize) + tid;
    data[tid] = combine(in[i], in[i + blockSize]);
    __syncthreads();

    if (blockSize >= 1024) {
        if (tid < 512)
            data[tid] = combine(data[tid], data[tid + 512]);
        __syncthreads();
    }
    if (blockSize >= 512) {
        if (tid < 256)
            data[tid] = combine(data[tid], data[tid + 256]);
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128)
            data[tid] = combine(data[tid], data[tid + 128]);
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            data[tid] = combine(data[tid], data[tid + 64]);
        __syncthreads();
    }
    if (tid < 32) reduceWarp(data, tid);
    if (tid == 0) out[blockIdx.x] = data[0];
}
