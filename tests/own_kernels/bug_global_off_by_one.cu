// BUG: <= in place of <: one element beyond the end is written.
__global__ void addOne(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        out[i] = (i < n ? in[i] : 0) + 1;
}
