// Most threads have returned when the others meet at the barriers.
__global__ void early_return(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[tid];
    __syncthreads();
    if (tid % 7 != 3) return;
    data[tid] = combine(data[tid], 1000);
    __syncthreads();
    out[tid] = data[tid];
}
