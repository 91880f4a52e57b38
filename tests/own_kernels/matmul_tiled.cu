// C = A * B, tiles of 16 x 16; n is a multiple of 16.
#ifndef TILE
#define TILE 16
#endif

__global__ void matMulTiled(const float *A, const float *B, float *C, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float acc = 0.0f;

    for (int m = 0; m < n / TILE; ++m) {
        As[ty][tx] = A[row * n + (m * TILE + tx)];
        Bs[ty][tx] = B[(m * TILE + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = acc;
}
