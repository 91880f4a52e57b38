// Unlike the one before, a row of the tile has 33 words, and
// the last is never used. The words of a column are 33 apart:
// each in the bank beside the one before.
__global__ void padded_columns(const T* in, T* out)
{
    __shared__ T tile[32][33];
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
