// 256 bins in shared memory, then one atomic a bin and block.
__global__ void histo(const unsigned char *buffer, long size, unsigned int *histogram)
{
    __shared__ unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();

    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i]], 1);
        i += stride;
    }
    __syncthreads();
    atomicAdd(&(histogram[threadIdx.x]), temp[threadIdx.x]);
}
