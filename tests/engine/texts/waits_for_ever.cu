// A block waits for what nobody stores.
__global__ void waits_for_ever(T* out, unsigned* done, unsigned waiting)
{
    volatile unsigned* seen = done;
    if (blockIdx.x == waiting)
        while (seen[0] == 0) {
        }
    if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
