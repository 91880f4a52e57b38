// Unlike the one before, a thread combines many elements in a
// register before the tree begins, four of them in flight at a
// time. It strides over the input by the whole grid, so that
// any grid covers any n.
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

__global__ void grid_stride(const T* in, T* out, unsigned n)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    unsigned i   = blockIdx.x * blockSize + tid;
    unsigned all = gridDim.x * blockSize;
    T value = identity;
    for (; i + 3 * all < n; i += 4 * all) {
        T a = combine(in[i], in[i + all]);
        T b = combine(in[i + 2 * all], in[i + 3 * all]);
        value = combine(value, combine(a, b));
    }
    for (; i < n; i += all)
        value = combine(value, in[i]);
    data[tid] = value;
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
