// BUG: the last thread reads its right neighbour, which is not in the array.
__global__ void differences(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    out[t] = s[t + 1] - s[t];
}
