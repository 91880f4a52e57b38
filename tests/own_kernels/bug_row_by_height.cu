// Why is my image garbled? The row is multiplied by the height where the width is meant.
__global__ void brighten(const unsigned char *img, unsigned char *out, int width, int height, int by)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int idx = y * height + x;
    int v = img[idx] + by;
    out[idx] = v > 255 ? 255 : v;
}
