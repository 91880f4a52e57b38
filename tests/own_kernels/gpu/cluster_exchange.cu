// Two blocks of a cluster read each other's tile.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) exchange(const int *in, int *out)
{
    __shared__ int tile[64];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x;
    tile[t] = in[blockIdx.x * 64 + t];
    cluster.sync();
    int *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    int theirs = other[63 - t];
    cluster.sync();
    if (t < 4) other[t] = -1;
    cluster.sync();
    out[blockIdx.x * 64 + t] = theirs + tile[t];
}
