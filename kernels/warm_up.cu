// One block of 8 threads adds 8 elements, in five steps: each
// thread brings one element into shared memory; 4 threads add,
// then 2, then 1; and thread 0 writes the sum. A barrier stands
// between two steps.
__global__ void warm_up(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[8 * blockIdx.x + tid];
    __syncthreads();

    if (tid < 4)
        data[tid] = combine(data[tid], data[tid + 4]);
    __syncthreads();
    if (tid < 2)
        data[tid] = combine(data[tid], data[tid + 2]);
    __syncthreads();
    if (tid < 1)
        data[tid] = combine(data[tid], data[tid + 1]);
    __syncthreads();

    if (tid == 0) out[blockIdx.x] = data[0];
}
