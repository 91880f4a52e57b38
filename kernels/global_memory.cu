// No shared memory: a block of half as many threads as it has
// elements works in device memory, in place. The stride begins
// at the number of threads and halves; barriers order device
// memory within a block as well.
__global__ void global_memory(T* array, T* out)
{
    unsigned id = threadIdx.x;
    T* piece = array + blockIdx.x * (2 * blockDim.x);

    for (unsigned s = blockDim.x; s > 0; s /= 2) {
        if (id < s)
            piece[id] = combine(piece[id], piece[id + s]);
        __syncthreads();
    }
    if (id == 0) out[blockIdx.x] = piece[0];
}
