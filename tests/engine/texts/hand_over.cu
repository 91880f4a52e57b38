// Each thread waits for the one after it: ends only where the executor lets every thread go on in the end.
__global__ void hand_over(T* out)
{
    __shared__ unsigned turn;
    unsigned tid = threadIdx.x;
    volatile unsigned* waits = &turn;
    if (tid == 0) turn = blockDim.x - 1;
    __syncthreads();
    while (*waits != tid) {
    }
    out[0] = out[0] * 3 + T(tid);
    if (tid > 0) *waits = tid - 1;
}
