// One thread waits for what never comes.
__global__ void endless(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[tid];
    __syncthreads();
    if (tid == 9)
        while (data[0] != 12345) {}
    __syncthreads();
    out[tid] = data[tid];
}
