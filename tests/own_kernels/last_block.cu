// One launch: the block that finishes last adds the partial sums.
__device__ unsigned int retirementCount = 0;
__device__ volatile int partials[64];

__global__ void sumSinglePass(const int *data, int n, int *result)
{
    __shared__ int smem[128];
    __shared__ bool amLast;
    unsigned tid = threadIdx.x;

    int v = 0;
    for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) v += data[i];
    smem[tid] = v;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) smem[tid] += smem[tid + s];
        __syncthreads();
    }

    if (tid == 0) {
        partials[blockIdx.x] = smem[0];
        __threadfence();                       // the sum before the ticket
        unsigned ticket = atomicInc(&retirementCount, gridDim.x);
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();

    if (amLast) {
        int w = 0;
        for (unsigned i = tid; i < gridDim.x; i += blockDim.x) w += partials[i];
        smem[tid] = w;
        __syncthreads();
        for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
            if (tid < s) smem[tid] += smem[tid + s];
            __syncthreads();
        }
        if (tid == 0) {
            *result = smem[0];
            retirementCount = 0;               // ready for the next launch
        }
    }
}
