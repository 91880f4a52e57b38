// A tile each, one shared slot a tile, then the first tile over the tiles' results.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ T sumOfTile(cg::thread_block_tile<32> tile, T value)
{
    return cg::reduce(tile, value, combine);
}

__global__ void groups(const T* in, T* out)
{
    __shared__ T partial[32];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    T sum = sumOfTile(tile, in[block.thread_rank()]);
    if (tile.thread_rank() == 0) partial[tile.meta_group_rank()] = sum;
    block.sync();
    if (tile.meta_group_rank() == 0) {
        sum = tile.thread_rank() < tile.meta_group_size() ? partial[tile.thread_rank()] : identity;
        sum = cg::reduce(tile, sum, combine);
        if (tile.thread_rank() == 0) out[0] = sum;
    }
    cg::sync(block);
    cg::thread_block_tile<8> eighth = cg::tiled_partition<8>(block);
    out[1 + block.thread_rank()] = cg::reduce(eighth, in[block.thread_rank()], combine);
}
