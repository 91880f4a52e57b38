// Unlike the modulo one, neighbouring threads work: thread t
// takes the pair that begins at 2*s*t. Whole warps drop out,
// but the lanes of a working warp lie 2s words apart, and so
// in few banks: conflicts.
__global__ void interleaved_contiguous(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * tid;
        if (index < blockDim.x)
            data[index] = combine(data[index], data[index + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
