// Interleaved addressing, picked by a modulo: the thread
// whose number is a multiple of 2s adds its neighbour at
// distance s. The working threads lie ever further apart,
// so that hardly any warp can drop out.
__global__ void interleaved_modulo(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
