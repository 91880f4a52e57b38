// Mean and variance in one pass; pairs are merged as Chan, Golub and LeVeque do.
struct Moments {
    float count;
    float mean;
    float m2;

    __device__ void add(float x)
    {
        count += 1.0f;
        const float d = x - mean;
        mean += d / count;
        m2 += d * (x - mean);
    }
};

__device__ Moments merge(const Moments &a, const Moments &b)
{
    Moments r;
    r.count = a.count + b.count;
    if (r.count == 0.0f) return a;
    const float d = b.mean - a.mean;
    r.mean = a.mean + d * (b.count / r.count);
    r.m2 = a.m2 + b.m2 + d * d * (a.count * b.count / r.count);
    return r;
}

__global__ void meanVariance(const float *x, int n, float *meanOut, float *varOut)
{
    __shared__ Moments part[64];
    Moments mine = {0.f, 0.f, 0.f};
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        mine.add(x[blockIdx.x * n + i]);
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            part[threadIdx.x] = merge(part[threadIdx.x], part[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        meanOut[blockIdx.x] = part[0].mean;
        varOut[blockIdx.x] = part[0].m2 / (part[0].count - 1.0f);
    }
}
