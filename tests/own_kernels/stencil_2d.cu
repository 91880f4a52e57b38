// Five-point stencil on a grid with zero borders; halo cells by the threads at the edge.
#define BX 16
#define BY 8
#define AT(a, r, c) ((r) >= 0 && (r) < rows && (c) >= 0 && (c) < cols ? (a)[(r) * cols + (c)] : 0.0f)

__global__ void laplace(const float *u, float *lap, int rows, int cols)
{
    __shared__ float t[BY + 2][BX + 2];
    const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    const int c = blockIdx.x * BX + threadIdx.x, r = blockIdx.y * BY + threadIdx.y;

    t[ly][lx] = AT(u, r, c);
    if (threadIdx.x == 0)      t[ly][0]      = AT(u, r, c - 1);
    if (threadIdx.x == BX - 1) t[ly][BX + 1] = AT(u, r, c + 1);
    if (threadIdx.y == 0)      t[0][lx]      = AT(u, r - 1, c);
    if (threadIdx.y == BY - 1) t[BY + 1][lx] = AT(u, r + 1, c);
    __syncthreads();

    if (r < rows && c < cols)
        lap[r * cols + c] = t[ly - 1][lx] + t[ly + 1][lx] + t[ly][lx - 1] + t[ly][lx + 1]
                          - 4.0f * t[ly][lx];
}
