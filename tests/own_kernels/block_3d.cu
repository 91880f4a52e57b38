// Blocks of 4 x 4 x 4: the sum of each small cube of a volume.
__global__ void cubeSums(const float *volume, float *sums, int sizeX, int sizeY)
{
    __shared__ float cube[4][4][4];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    cube[threadIdx.z][threadIdx.y][threadIdx.x] = volume[(z * sizeY + y) * sizeX + x];
    __syncthreads();
    if (threadIdx.z < 2) {
        cube[threadIdx.z][threadIdx.y][threadIdx.x] += cube[threadIdx.z + 2][threadIdx.y][threadIdx.x];
    }
    __syncthreads();
    const int rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    float *flat = &cube[0][0][0];
    for (int k = 16; k > 0; k >>= 1) {
        if (rank < k) flat[rank] += flat[rank + k];
        __syncthreads();
    }
    if (rank == 0)
        sums[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = flat[0];
}
