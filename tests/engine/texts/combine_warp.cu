// A warp each, then one atomic a warp: the hardware's two.
__global__ void combine_warp(const T* in, T* out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = combineWarp(in[i] + 0);
    if (threadIdx.x % 32 == 0)
        combineAtomically(&out[blockIdx.x], sum);
}
