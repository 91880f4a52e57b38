// Mean and variance of a row: moments that a functor merges by value.
struct Moments { float n, mean, m2; };

struct Merge {
    __device__ Moments operator()(Moments a, Moments b) const
    {
        float n = a.n + b.n;
        if (n == 0) return a;
        float delta = b.mean - a.mean;
        Moments r;
        r.n = n;
        r.mean = a.mean + delta * (b.n / n);
        r.m2 = a.m2 + b.m2 + delta * delta * (a.n * b.n / n);
        return r;
    }
};

template <class Op>
__global__ void welford(const float *x, Moments *out, Op op)
{
    __shared__ Moments s[64];
    const int t = threadIdx.x;
    Moments mine = {0, 0, 0};
    for (int i = t; i < 256; i += blockDim.x) {
        Moments one = {1, x[i], 0};
        mine = op(mine, one);
    }
    s[t] = mine;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k) s[t] = op(s[t], s[t + k]);
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
