// All threads of each block wait until it is the block's turn, which the highest has first.
__global__ void turn_by_turn(T* out, unsigned* turns)
{
    unsigned before = gridDim.x - 1 - blockIdx.x;
    while (atomicAdd(turns, 0) != before) {
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        out[0] = out[0] * 3 + T(blockIdx.x);
        __threadfence();
        atomicAdd(turns, 1);
    }
}
