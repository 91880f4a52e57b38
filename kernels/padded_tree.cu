// Unlike the contiguous one, it leaves a word free behind every
// 32: element i is at i + i / 32. Threads and pairs are the
// same, but what lay in one bank lies in different ones.
__device__ unsigned place(unsigned i) { return i + i / 32; }

__global__ void padded_tree(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[place(tid)] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * tid;
        if (index < blockDim.x) {
            unsigned a = place(index), b = place(index + s);
            data[a] = combine(data[a], data[b]);
        }
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
