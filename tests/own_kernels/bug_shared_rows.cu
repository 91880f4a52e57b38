// A tile of 8 rows of 32, read as if it had 32 rows of 8.
__global__ void rotateTile(const int* in, int* out)
{
    __shared__ int tile[8 * 32];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty * blockDim.x + tx] = in[ty * blockDim.x + tx];
    __syncthreads();
    out[ty * blockDim.x + tx] = tile[tx * blockDim.x + ty];
}
