// No barrier between the strides: what comes out depends on who runs when.
__global__ void no_barrier(const T* in, T* out)
{
    __shared__ T data[1024];
    unsigned tid = threadIdx.x;
    data[tid] = in[tid];
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2)
        if (tid < s) data[tid] = combine(data[tid], data[tid + s]);
    if (tid == 0) out[0] = data[0];
}
