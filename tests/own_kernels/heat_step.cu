// One step of the heat equation; the border keeps its temperature. Threads of the border return early, which is
// allowed: no barrier follows.
#define IDX(row, col, width) ((row) * (width) + (col))

__global__ void heatStep(const float* __restrict__ now, float* __restrict__ next, int width, int height)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height) return;
    const float here = now[IDX(row, col, width)];
    switch ((row == 0) + 2 * (row == height - 1) + 4 * (col == 0 || col == width - 1)) {
        case 0:
            break;
        case 1:
        case 2:
            next[IDX(row, col, width)] = here;
            return;
        default:
            next[IDX(row, col, width)] = here;
            return;
    }
    float around = 0.f;
    for (int step = -1; step <= 1; step += 2) {
        around += now[IDX(row + step, col, width)];
        around += now[IDX(row, col + step, width)];
    }
    next[IDX(row, col, width)] = here + 0.25f * (around - 4.f * here);
}
