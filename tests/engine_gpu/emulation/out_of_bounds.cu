// One thread reads behind the input, one writes before shared memory.
__global__ void out_of_bounds(const T* in, T* out)
{
    extern __shared__ T data[];
    int tid = threadIdx.x;
    data[tid] = 1;
    __syncthreads();
    if (tid == 5) data[0] = in[blockDim.x + 1];
    if (tid == 6) data[tid - 7] = 2;
    __syncthreads();
    out[tid] = data[tid];
}
