#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <typename Group>
__device__ int reduceGroup(Group g, int value)
{
    for (int offset = g.size() / 2; offset > 0; offset /= 2)
        value += g.shfl_down(value, offset);
    return value;  // of rank 0
}

__device__ int threadSum(const int *input, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
        int4 in = ((const int4 *)input)[i];
        sum += in.x + in.y + in.z + in.w;
    }
    return sum;
}

__global__ void sumTiles32(int *sum, const int *input, int n)
{
    int mine = threadSum(input, n);
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int tileSum = reduceGroup(tile, mine);
    if (tile.thread_rank() == 0) atomicAdd(sum, tileSum);
}
