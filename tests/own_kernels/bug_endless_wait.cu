// BUG: the wait comes before the only store that would end it.
__global__ void waitForFlag(const int *in, volatile int *flag, int *out)
{
    __shared__ int box;
    if (threadIdx.x == 0) box = in[0];
    __syncthreads();
    while (*flag == 0) { }
    if (threadIdx.x == 0) *flag = 1;
    out[threadIdx.x] = box;
}
