// One warp fills a buffer, the other adds it up. At each of two barriers in shared memory one of them arrives and
// goes on, and the other waits.
#include <cuda/barrier>

__global__ void produce_consume(const int *in, int *out, int n)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int buffer[32];
    __shared__ barrier filled, empty;
    if (threadIdx.x == 0) {
        init(&filled, 64);
        init(&empty, 64);
    }
    __syncthreads();

    int sum = 0;
    for (int k = 0; k < n; k += 32) {
        if (threadIdx.x < 32) {
            empty.arrive_and_wait();
            buffer[threadIdx.x] = in[k + threadIdx.x];
            (void)filled.arrive();
        } else {
            (void)empty.arrive();
            filled.arrive_and_wait();
            sum += buffer[threadIdx.x - 32];
        }
    }
    if (threadIdx.x >= 32) out[threadIdx.x - 32] = sum;
}
