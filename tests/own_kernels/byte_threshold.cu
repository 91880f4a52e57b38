// 8-bit picture: threshold, and how many pixels of each row are bright.
typedef unsigned char u8;

__global__ void threshold(const u8 *src, u8 *dst, int *bright, int width, u8 level)
{
    __shared__ u8 row[160];
    const int y = blockIdx.x;
    for (int x = threadIdx.x; x < width; x += blockDim.x)
        row[x] = src[y * width + x] >= level ? 255 : 0;
    int mine = 0;
    for (int x = threadIdx.x; x < width; x += blockDim.x)
        mine += row[x] != 0;                       // the thread's own bytes
    int all = 0;
    for (int bit = 0; bit < 3; bit++)              // at most 7 pixels a thread
        all += __syncthreads_count(mine >> bit & 1) << bit;
    for (int x = threadIdx.x; x < width; x += blockDim.x)
        dst[y * width + x] = row[width - 1 - x];   // mirrored
    if (threadIdx.x == 0) bright[y] = all;
}
