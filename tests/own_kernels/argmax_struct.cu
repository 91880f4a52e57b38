// The largest value and where it is; of equal ones the first.
struct Best { float value; int index; };

__host__ __device__ inline Best better(Best a, Best b)
{
    if (b.value > a.value || (b.value == a.value && b.index < a.index)) return b;
    return a;
}

__global__ void argmax(const float *x, Best *best, int n)
{
    __shared__ Best s[128];
    const int t = threadIdx.x;
    Best mine = { -__builtin_huge_valf(), 0x7fffffff };
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        mine = better(mine, Best{ x[i], i });
    s[t] = mine;
    __syncthreads();
    for (int k = 64; k; k >>= 1) {
        if (t < k) s[t] = better(s[t], s[t + k]);
        __syncthreads();
    }
    if (t == 0) best[blockIdx.x] = s[0];
}
