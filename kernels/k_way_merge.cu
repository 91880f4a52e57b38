// Merges sorted lists, one per thread: the least of the heads
// is the next value. A min-reduction finds it and carries
// the list's number along. The other one comes from the far
// half, so that whole warps drop out.
constexpr unsigned exhausted = 0xffffffff;

// Whether b, of listB, comes out before a, of listA.
__device__ bool comesFirst(T b, unsigned listB,
                           T a, unsigned listA)
{
    if (listA == exhausted || listB == exhausted)
        return listB < listA;
    if (a < b || b < a) return b < a;
    return listB < listA;
}

__global__ void k_way_merge(
    const T* values, const unsigned* starts, unsigned n,
    T* merged, unsigned* origin)
{
    extern __shared__ T heads[];
    __shared__ unsigned lists[1024];
    unsigned tid  = threadIdx.x;
    unsigned next = starts[tid], end = starts[tid + 1];

    for (unsigned i = 0; i < n; ++i) {
        bool live = next < end;
        heads[tid] = live ? values[next] : identity;
        lists[tid] = live ? tid : exhausted;
        __syncthreads();

        for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
            if (tid < s) {
                T own = heads[tid], other = heads[tid + s];
                unsigned list = lists[tid + s];
                if (comesFirst(other, list,
                               own, lists[tid])) {
                    heads[tid] = other;
                    lists[tid] = list;
                }
            }
            __syncthreads();
        }
        if (tid == 0) {
            merged[i] = heads[0];
            origin[i] = lists[0];
        }
        if (lists[0] == tid) ++next;
        __syncthreads();
    }
}
