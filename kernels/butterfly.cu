// Two lanes s apart swap their values, and both add. After five
// steps every lane holds the result; nobody has to hand it out.
// Shared memory is not used.
__global__ void butterfly(const T* in, T* out)
{
    unsigned lane = threadIdx.x;
    T value = in[blockIdx.x * blockDim.x + lane];
    for (unsigned s = 16; s > 0; s /= 2) {
        T other = __shfl_xor_sync(0xffffffff, value, s);
        value = combine(value, other);
    }
    if (lane == 0) out[blockIdx.x] = value;
}
