// Shared variables that are no arrays, volatile memory, and a counter that tells who comes last.
__global__ void shared_variables(const T* in, T* out, unsigned* counter, unsigned n)
{
    volatile __shared__ T data[1024];
    __shared__ bool last;
    __shared__ unsigned count;
    unsigned tid = threadIdx.x;
    if (tid == 0) count = 0;
    data[tid] = tid < n ? in[tid] : identity;
    __syncthreads();
    volatile T* smem = data;
    if (tid < blockDim.x / 2) {
        smem[tid] += smem[tid + blockDim.x / 2];
        atomicAdd(&count, 1u);
    }
    __syncthreads();
    if (tid == 0) {
        out[blockIdx.x] = data[0];
        __threadfence();
        unsigned ticket = atomicAdd(counter, 1u);
        last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (last && tid == 1) {
        count++;
        out[gridDim.x] = T(count);
        *counter = 0;
    }
}
