// One thread of each block waits for the block before it, and goes on from what that one left.
__global__ void after_the_block_before(T* out, unsigned* done)
{
    unsigned block = blockIdx.x;
    volatile unsigned* seen = done;
    if (threadIdx.x == 0 && block > 0)
        while (seen[block - 1] == 0) {
        }
    __syncthreads();
    if (threadIdx.x == 0) {
        T before = block > 0 ? out[block - 1] : 0;
        out[block] = before * 3 + T(block);
        __threadfence();
        seen[block] = 1;
    }
}
