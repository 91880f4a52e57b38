// The same scan with a pad word after each 32, several blocks and block sums.
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)

__global__ void prescanPadded(const int *in, int *out, int *sums, int n)
{
    extern __shared__ int temp[];      // n + n / 32
    const int t = threadIdx.x;
    const int base = blockIdx.x * n;

    int ai = t, bi = t + n / 2;
    int padA = CONFLICT_FREE_OFFSET(ai), padB = CONFLICT_FREE_OFFSET(bi);
    temp[ai + padA] = in[base + ai];
    temp[bi + padB] = in[base + bi];

    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset <<= 1;
    }
    if (t == 0) {
        const int last = n - 1 + CONFLICT_FREE_OFFSET(n - 1);
        sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < n; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            int keep = temp[a];
            temp[a] = temp[b];
            temp[b] += keep;
        }
    }
    __syncthreads();
    out[base + ai] = temp[ai + padA];
    out[base + bi] = temp[bi + padB];
}
