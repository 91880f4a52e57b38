// A tile comes and goes by bulk copies; an mbarrier says when it has come.
__global__ void twice(const int *in, int *out)
{
    __shared__ alignas(128) int tile[256];
    __shared__ alignas(8) unsigned long long arrived;
    unsigned barrier = unsigned(__cvta_generic_to_shared(&arrived));
    unsigned to = unsigned(__cvta_generic_to_shared(tile));
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(barrier));
        asm volatile("fence.proxy.async.shared::cta;");
    }
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];"
                     :: "r"(to), "l"(in + blockIdx.x * 256), "r"(barrier) : "memory");
        asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], 1024; }" :: "r"(barrier) : "memory");
    }
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(barrier) : "memory");
    tile[t] *= 2;
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;"
                     :: "l"(out + blockIdx.x * 256), "r"(to) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
