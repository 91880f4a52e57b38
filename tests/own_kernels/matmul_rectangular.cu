#define TILE_DIM 8

// C (m x n) = A (m x k) * B (k x n), none of them a multiple of the tile.
__global__ void matMulRect(const float *A, const float *B, float *C, int m, int k, int n)
{
    __shared__ float As[TILE_DIM][TILE_DIM];
    __shared__ float Bs[TILE_DIM][TILE_DIM + 1];

    int row = blockIdx.y * TILE_DIM + threadIdx.y;
    int col = blockIdx.x * TILE_DIM + threadIdx.x;
    float acc = 0.0f;

    for (int t = 0; t < (k + TILE_DIM - 1) / TILE_DIM; t++) {
        int aCol = t * TILE_DIM + threadIdx.x;
        int bRow = t * TILE_DIM + threadIdx.y;
        if (row < m && aCol < k)
            As[threadIdx.y][threadIdx.x] = A[row * k + aCol];
        else
            As[threadIdx.y][threadIdx.x] = 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (bRow < k && col < n) ? B[bRow * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE_DIM; ++i)
            acc += As[threadIdx.y][i] * Bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        C[row * n + col] = acc;
}
