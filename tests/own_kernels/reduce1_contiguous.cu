/* Step 1: the same strides, but neighbouring threads work.
 * The price: bank conflicts.                                */
__global__ void reduceContiguous(int *g_idata, int *g_odata)
{
    __shared__ int sdata[256];
    const int tid = threadIdx.x;

    sdata[tid] = g_idata[blockIdx.x * 256 + tid];
    __syncthreads();

    for (int s = 1; s < 256; s <<= 1)
    {
        int index = 2 * s * tid;
        if (index < 256)
        {
            sdata[index] += sdata[index + s];
        }
        __syncthreads();
    }
    if (tid == 0) { g_odata[blockIdx.x] = sdata[0]; }
}
