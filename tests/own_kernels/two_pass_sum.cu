// Two launches: partial sums of blocks, then one block over them.
typedef long long sum_t;

__device__ __forceinline__ void tree(sum_t *s, unsigned t, unsigned width)
{
    for (unsigned k = width >> 1; k >= 1; k >>= 1) {
        __syncthreads();
        if (t < k) s[t] += s[t + k];
    }
}

__global__ void firstPass(const int *in, sum_t *partial, int n)
{
    extern __shared__ sum_t acc[];
    sum_t mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    acc[threadIdx.x] = mine;
    tree(acc, threadIdx.x, blockDim.x);
    if (threadIdx.x == 0) partial[blockIdx.x] = acc[0];
}

__global__ void secondPass(const sum_t *partial, sum_t *total, int blocks)
{
    extern __shared__ sum_t acc[];
    acc[threadIdx.x] = threadIdx.x < blocks ? partial[threadIdx.x] : 0;
    tree(acc, threadIdx.x, blockDim.x);
    if (threadIdx.x == 0) *total = acc[0];
}
