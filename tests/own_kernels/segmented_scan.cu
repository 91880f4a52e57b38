// Inclusive scan that starts anew at each head flag.
struct Pair { int sum; int head; };

__device__ __forceinline__ Pair operator+(Pair left, Pair right)
{
    return Pair{ right.head ? right.sum : left.sum + right.sum, left.head | right.head };
}

__global__ void segmentedScan(const int *values, const unsigned char *heads, int *out)
{
    __shared__ Pair s[128];
    const int t = threadIdx.x, g = blockIdx.x * 128 + t;
    Pair me = { values[g], heads[g] };
    s[t] = me;
    __syncthreads();
    for (int d = 1; d < 128; d += d) {
        Pair before = { 0, 0 };
        if (t >= d) before = s[t - d];
        __syncthreads();
        if (t >= d) {
            me = before + me;
            s[t] = me;
        }
        __syncthreads();
    }
    out[g] = me.sum;
}
