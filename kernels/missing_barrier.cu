// The sequential one without the barrier between strides. A
// warp goes on to the next stride while another has not yet
// written what is read there.
__global__ void missing_barrier(const T* in, T* out)
{
    extern __shared__ T data[];
    unsigned tid = threadIdx.x;
    data[tid] = in[blockIdx.x * blockDim.x + tid];
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            data[tid] = combine(data[tid], data[tid + s]);
    }
    if (tid == 0) out[blockIdx.x] = data[0];
}
