#include <cstdio>
// "My reduction hangs on newer cards": the barrier stands within the if.
#define BLOCK 128
__global__ void sumBlock(const int *g_in, int *g_out)
{
    __shared__ int sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    sdata[tid] = g_in[blockIdx.x * BLOCK + tid];
    __syncthreads();
    for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
            __syncthreads();
        }
    }
    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

int main()
{
    int *in, *out;
    cudaMalloc(&in, 4 * BLOCK);
    cudaMalloc(&out, 4);
    sumBlock<<<1, BLOCK>>>(in, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
