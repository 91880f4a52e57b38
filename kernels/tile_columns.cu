// A warp brings a tile of 32 rows into shared memory, and lane
// t adds up row t. So the lanes read the tile column by column:
// 32 words, 32 apart, all of them in one bank.
__global__ void tile_columns(const T* in, T* out)
{
    __shared__ T tile[32][32];
    unsigned lane = threadIdx.x;
    const T* piece = in + 1024 * blockIdx.x;
    for (unsigned row = 0; row < 32; ++row)
        tile[row][lane] = piece[32 * row + lane];
    __syncwarp();

    T value = identity;
    for (unsigned column = 0; column < 32; ++column)
        value = combine(value, tile[lane][column]);

    for (unsigned s = 16; s > 0; s /= 2) {
        T other = __shfl_down_sync(0xffffffff, value, s);
        value = combine(value, other);
    }
    if (lane == 0) out[blockIdx.x] = value;
}
