// A block of the first cluster waits for a word that its block 0
// stores behind the cluster's barrier, to which the waiting one does
// not come.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void cluster_waits(unsigned* word, unsigned first)
{
    auto cluster = cg::this_cluster();
    if (blockIdx.x == first) {
        while (__nv_atomic_load_n(&word[0], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 0) {}
    }
    cluster.sync();
    if (blockIdx.x == 0) word[0] = 1;
}
