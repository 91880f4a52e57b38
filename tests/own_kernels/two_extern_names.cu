// Two names for the same dynamic shared memory, one after the other.
extern __shared__ int ishared[];
extern __shared__ float fshared[];

__device__ int sumInts(int v)
{
    int t = threadIdx.x;
    ishared[t] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (t < k) ishared[t] += ishared[t + k];
        __syncthreads();
    }
    int r = ishared[0];
    __syncthreads();
    return r;
}

__device__ float maxFloats(float v)
{
    int t = threadIdx.x;
    fshared[t] = v;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (t < k) fshared[t] = fmaxf(fshared[t], fshared[t + k]);
        __syncthreads();
    }
    float r = fshared[0];
    __syncthreads();
    return r;
}

__global__ void sumAndMax(const int *a, const float *b, int *sum, float *maximum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = sumInts(a[i]);
    float m = maxFloats(b[i]);
    if (threadIdx.x == 0) { sum[blockIdx.x] = s; maximum[blockIdx.x] = m; }
}
