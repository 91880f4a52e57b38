// The barrier stands at the head of the loop, so that none
// follows the last stride, and every thread stores the result:
// others may read data[0] before thread 0 has added to it.
__global__ void early_result(const T* in, T* out, unsigned n)
{
    extern __shared__ T data[];
    unsigned th    = threadIdx.x;
    unsigned start = 2 * blockIdx.x * blockDim.x;
    unsigned i     = start + 2 * th;
    if (i < n)
        data[2 * th] = in[i];
    else
        data[2 * th] = identity;
    if (i + 1 < n)
        data[2 * th + 1] = in[i + 1];
    else
        data[2 * th + 1] = identity;

    for (unsigned s = 1; s <= blockDim.x; s *= 2) {
        __syncthreads();
        if (th % s == 0) {
            T other = data[2 * th + s];
            data[2 * th] = combine(data[2 * th], other);
        }
    }
    out[blockIdx.x] = data[0];
}
