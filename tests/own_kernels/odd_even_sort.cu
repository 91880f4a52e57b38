#define SWAP(a, b) { short swap_ = a; a = b; b = swap_; }

// Odd-even transposition: n phases of neighbours.
__global__ void oddEvenSort(short *data, int n)
{
    extern __shared__ short s[];
    int i = threadIdx.x;
    if (i < n) s[i] = data[i];
    __syncthreads();
    for (int phase = 0; phase < n; ++phase) {
        bool left = (i & 1) == (phase & 1);
        if (left && i + 1 < n && s[i] > s[i + 1])
            SWAP(s[i], s[i + 1])
        __syncthreads();
    }
    if (i < n) data[i] = s[i];
}
