// Unlike the two before, it does not say how a warp reduces:
// cg::reduce does. With a function of one's own it shuffles,
// with CUDA's cg::plus of 32-bit integers it takes the one
// instruction. Ranks are asked of the group, not computed.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void reduce_with_groups(const T* in, T* out,
                                   unsigned n)
{
    __shared__ T slots[32];
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    unsigned tid  = block.thread_rank();
    unsigned lane = warp.thread_rank();
    unsigned i    = blockIdx.x * block.size() + tid;
    unsigned all  = gridDim.x * block.size();
    T value = identity;
    for (; i + 3 * all < n; i += 4 * all) {
        T a = combine(in[i], in[i + all]);
        T b = combine(in[i + 2 * all], in[i + 3 * all]);
        value = combine(value, combine(a, b));
    }
    for (; i < n; i += all)
        value = combine(value, in[i]);

    value = cg::reduce(warp, value, combine);
    if (lane == 0) slots[warp.meta_group_rank()] = value;
    block.sync();

    if (warp.meta_group_rank() == 0) {
        bool filled = lane < warp.meta_group_size();
        value = filled ? slots[lane] : identity;
        value = cg::reduce(warp, value, combine);
    }
    if (tid == 0) out[blockIdx.x] = value;
}
