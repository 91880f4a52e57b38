// A sum in which all threads meet at a cuda::barrier, and half of them at a barrier of their own.
#include <cuda/barrier>

__global__ void sumBlock(const int *in, int *out)
{
    __shared__ int s[128];
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    int t = threadIdx.x;
    if (t == 0) init(&all, blockDim.x);
    __syncthreads();
    s[t] = in[t];
    all.arrive_and_wait();
    if (t < 64) {
        s[t] += s[t + 64];
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (t < 32) s[t] += s[t + 32];
    }
    all.arrive_and_wait();
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < 32; ++i) sum += s[i];
        *out = sum;
    }
}
