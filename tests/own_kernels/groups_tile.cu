// Tiles of 8 threads by cooperative groups, then the block over the tiles.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <unsigned N>
__device__ int tileSum(cg::thread_block_tile<N> tile, int v)
{
    for (int k = tile.size() / 2; k > 0; k /= 2)
        v += tile.shfl_down(v, k);
    return v;                    // right in the tile's thread 0
}

__global__ void sumTiles(const int *in, int *tiles, int *total)
{
    __shared__ int sums[16];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);

    int s = tileSum<8>(tile, in[blockIdx.x * block.size() + block.thread_rank()]);
    if (tile.thread_rank() == 0) {
        sums[block.thread_rank() / 8] = s;
        tiles[blockIdx.x * 16 + block.thread_rank() / 8] = s;
    }
    block.sync();
    if (block.thread_rank() == 0) {
        int all = 0;
        for (int i = 0; i < 16; ++i) all += sums[i];
        atomicAdd(total, all);
    }
}
