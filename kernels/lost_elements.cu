// The sequential kernel, in a block whose size is no power of
// two. Where s is odd, s / 2 rounds down: of 3 values, thread 0
// adds two, and nobody adds the third.
__global__ void lost_elements(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
